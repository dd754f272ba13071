/**
 * Runs of the fuzz tests: which operations are called by whom. Each run has one OpenAPI document that covers both APIs,
 * and for admitted callers also the other paths.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  CONSOLE_INTERFACE,
  openApiDocuments,
  PUBLIC_INTERFACE,
  type InterfaceOperation,
  type InterfaceAccess,
} from '#libs/contracts';
import type { Caller } from './fixture.ts';
import { PAGES } from './pages.ts';

/** Returns the callers of an operation, for `x-callers`. The request determines which of them sends it. */
type CallersOf = (operation: InterfaceOperation) => Caller[];

/** Operations that revoke the run's credentials or remove required data. */
const ENDING = new Set([
  'signOut',
  'changePassword',
  'resetPassword',
  'changeUser',
  'removeUser',
  'changeMember',
  'removeMember',
  'removeProject',
  'deleteVisits',
]);
/** Operations whose responses never end. */
const ENDLESS = new Set(['streamVisits']);

/** Callers to reject. Public operations return nothing to a stranger without an account, an invitation, or a link. */
const REFUSED: Record<InterfaceAccess, Caller[]> = {
  public: ['stranger'],
  // The secret is in the path, so every caller is admitted.
  shared: [],
  token: ['stranger'],
  authenticated: ['stranger', 'token'],
  session: ['stranger', 'token'],
  viewer: ['stranger', 'token'],
  member: ['stranger', 'viewer'],
  owner: ['stranger', 'viewer', 'member'],
  administrator: ['stranger', 'viewer', 'member', 'owner'],
};
/** Callers to admit. */
const ADMITTED: Record<InterfaceAccess, Caller[]> = {
  public: ['stranger', 'viewer', 'administrator'],
  shared: ['stranger', 'viewer', 'administrator'],
  token: ['token'],
  authenticated: ['viewer', 'member', 'owner', 'administrator'],
  session: ['viewer', 'member', 'owner', 'administrator'],
  viewer: ['viewer', 'member', 'owner', 'administrator'],
  member: ['member', 'owner', 'administrator'],
  owner: ['owner', 'administrator'],
  administrator: ['administrator'],
};

export interface Run {
  name: string;
  document: object;
  /** Share of the total duration. */
  share: number;
  /** Whether all requests must be rejected and store nothing, even with generated credentials. */
  isRefused: boolean;
}

export const RUNS: readonly Run[] = [
  { name: 'refused', document: documentOf(({ access }) => REFUSED[access]), share: 0.3, isRefused: true },
  {
    name: 'let through',
    document: documentOf(({ id, access }) => (ENDING.has(id) || ENDLESS.has(id) ? [] : ADMITTED[access]), PAGES),
    share: 0.7,
    isRefused: false,
  },
];

interface Document {
  paths: Record<string, Record<string, object>>;
  components: Record<'schemas' | 'responses' | 'parameters' | 'securitySchemes', Record<string, object>>;
}

/** Builds an OpenAPI document. Operations without callers are left out. */
function documentOf(callersOf: CallersOf, pages: Document['paths'] = {}): object {
  const [ofSites, ofPeople] = openApiDocuments().map(({ document }) => document as Document);
  const paths: Document['paths'] = { ...pages };
  for (const operation of [...PUBLIC_INTERFACE.operations, ...CONSOLE_INTERFACE.operations]) {
    const { method, path } = operation;
    const callers = callersOf(operation);
    if (callers.length === 0) continue;
    const declared = (ofPeople!.paths[path] ?? ofSites!.paths[path])![method]!;
    paths[path] = { ...paths[path], [method]: { ...declared, 'x-callers': callers } };
  }
  const components = { ...ofPeople!.components };
  for (const kind of ['schemas', 'responses', 'parameters'] as const) {
    components[kind] = union(ofSites!.components[kind], components[kind]);
  }
  return { ...ofPeople, paths, components };
}

/** @throws Error if both contain a component with the same name but different content. */
function union(one: Record<string, object>, other: Record<string, object>): Record<string, object> {
  for (const name of Object.keys(one)) {
    if (name in other && !isDeepStrictEqual(one[name], other[name]))
      throw new Error(`Two components are named ${name}`);
  }
  return { ...one, ...other };
}
