/** What the fuzz tests call as whom: one OpenAPI document for each run, of both interfaces and of what is beside them. */
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

/** An operation of a run has these as `x-callers`; which of them calls follows from the request. */
type CallersOf = (operation: InterfaceOperation) => Caller[];

/** They end the credential of the run, or take what it needs. */
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
/** Their answers have no end. */
const ENDLESS = new Set(['streamVisits']);

/** Who is refused. What is public has nothing for a stranger without an account, an invitation or a link. */
const REFUSED: Record<InterfaceAccess, Caller[]> = {
  public: ['stranger'],
  // Its callers have the secret, which is in the path.
  shared: [],
  token: ['stranger'],
  authenticated: ['stranger', 'token'],
  session: ['stranger', 'token'],
  viewer: ['stranger', 'token'],
  member: ['stranger', 'viewer'],
  owner: ['stranger', 'viewer', 'member'],
  administrator: ['stranger', 'viewer', 'member', 'owner'],
};
/** Who is let through. */
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
  /** OpenAPI. */
  document: object;
  /** Of the time there is. */
  share: number;
  /** Nothing of it may be stored, whatever credential is made up. */
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

/** Operations that nobody calls are left out. */
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

/** @throws Error if both have a component of the same name and different content. */
function union(one: Record<string, object>, other: Record<string, object>): Record<string, object> {
  for (const name of Object.keys(one)) {
    if (name in other && !isDeepStrictEqual(one[name], other[name]))
      throw new Error(`Two components are named ${name}`);
  }
  return { ...one, ...other };
}
