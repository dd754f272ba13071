/**
 * Fuzz test runs, which define who calls which operations. Each run has one OpenAPI document that covers both APIs. The
 * document for admitted callers also covers the other paths.
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

/** Returns the operation's callers for `x-callers`. Each generated request is sent by one of them. */
type CallersOf = (operation: InterfaceOperation) => Caller[];

/** Operations that revoke the run's credentials or delete required data. */
const DESTRUCTIVE_OPERATIONS = new Set([
  'signOut',
  'changePassword',
  'removeOwnSecondFactor',
  'resetPassword',
  'changeUser',
  'removeUser',
  'changeMember',
  'removeMember',
  'removeProject',
  'deleteVisits',
]);
/** Operations whose responses never end. */
const STREAMING_OPERATIONS = new Set(['streamVisits']);

/**
 * Callers that must be rejected. Public operations also reject strangers, because strangers have no account, invitation
 * or link.
 */
const REJECTED_CALLERS: Record<InterfaceAccess, Caller[]> = {
  public: ['stranger'],
  // All callers are admitted, because the secret in the path is the only credential.
  shared: [],
  token: ['stranger'],
  authenticated: ['stranger', 'token'],
  session: ['stranger', 'token'],
  viewer: ['stranger', 'token'],
  member: ['stranger', 'viewer'],
  owner: ['stranger', 'viewer', 'member'],
  administrator: ['stranger', 'viewer', 'member', 'owner'],
};
/** Callers that must be admitted. */
const ADMITTED_CALLERS: Record<InterfaceAccess, Caller[]> = {
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
  /** Fraction of the total duration. */
  share: number;
  /** True if all requests must be rejected without storing anything, even with generated credentials. */
  expectsRejection: boolean;
}

export const RUNS: readonly Run[] = [
  {
    name: 'rejected',
    document: createDocument(({ access }) => REJECTED_CALLERS[access]),
    share: 0.3,
    expectsRejection: true,
  },
  {
    name: 'admitted',
    document: createDocument(
      ({ id, access }) =>
        DESTRUCTIVE_OPERATIONS.has(id) || STREAMING_OPERATIONS.has(id) ? [] : ADMITTED_CALLERS[access],
      PAGES,
    ),
    share: 0.7,
    expectsRejection: false,
  },
];

interface Document {
  paths: Record<string, Record<string, object>>;
  components: Record<'schemas' | 'responses' | 'parameters' | 'securitySchemes', Record<string, object>>;
}

/** Builds an OpenAPI document. Operations without callers are omitted. */
function createDocument(callersOf: CallersOf, pages: Document['paths'] = {}): object {
  const [publicDocument, consoleDocument] = openApiDocuments().map(({ document }) => document as Document);
  const paths: Document['paths'] = { ...pages };
  for (const operation of [...PUBLIC_INTERFACE.operations, ...CONSOLE_INTERFACE.operations]) {
    const { method, path } = operation;
    const callers = callersOf(operation);
    if (callers.length === 0) continue;
    const declaredOperation = (consoleDocument!.paths[path] ?? publicDocument!.paths[path])![method]!;
    paths[path] = { ...paths[path], [method]: { ...declaredOperation, 'x-callers': callers } };
  }
  const components = { ...consoleDocument!.components };
  for (const kind of ['schemas', 'responses', 'parameters'] as const) {
    components[kind] = union(publicDocument!.components[kind], components[kind]);
  }
  return { ...consoleDocument, paths, components };
}

/** @throws {Error} if both contain a component with the same name but different content */
function union(one: Record<string, object>, other: Record<string, object>): Record<string, object> {
  for (const name of Object.keys(one)) {
    if (name in other && !isDeepStrictEqual(one[name], other[name]))
      throw new Error(`Two different components are named ${name}`);
  }
  return { ...one, ...other };
}
