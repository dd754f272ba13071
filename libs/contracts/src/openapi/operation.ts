import { Type, type Static, type TSchema } from 'typebox';
import type { AuditChange, AuditSubject } from '../audit.schema.js';
import type { ApiKeyScope } from '../api-key.schema.js';
import type { TokenPurpose } from '../console.schema.js';

/**
 * Who may call an operation of an interface. Of the roles in a project each may do what those before it may; an
 * administrator has every role in every project, and so has a program's API key in the projects that it reaches. Of API keys,
 * {@link scopeOf} says what else it takes.
 */
export type InterfaceAccess =
  /** Everybody, without a credential; people who are signed in are known. */
  | 'public'
  /** Holders of a link to a project's overview, whose secret the path names as `{secret}`, or whose badge as `{badge}`. They are nobody elsewhere. */
  | 'shared'
  /** Holders of a project's access token. */
  | 'token'
  /** Holders of any API key, and people who are signed in; the answer has what they can reach. */
  | 'authenticated'
  /** People who are signed in, for themselves: no API key. */
  | 'session'
  | 'viewer'
  | 'member'
  | 'owner'
  | 'administrator';

/** Who may call an operation: as {@link InterfaceAccess}, or of what is part of no interface. */
export type OperationAccess =
  | InterfaceAccess
  /** Everybody, and nobody looks at who they are. */
  | 'open'
  /** Our other services. */
  | 'internal'
  /** The operator of the process. */
  | 'operator';

/**
 * What the audit log has of an operation. `changes`: what it changes in the database, from the tables
 * themselves, or from `auditDeed` in the transaction.
 * `nothing`: it changes nothing that anybody would look for. Otherwise that it was called, before its answer is sent.
 */
export type Audit = 'changes' | 'nothing' | AuditedCall;

export interface AuditedCall {
  change: Extract<AuditChange, 'revealed' | 'done'>;
  subject: AuditSubject;
  /** Parameter of the path with the subject's id. */
  id?: string;
  /** Member of the body with the project, where the path doesn't name it. */
  project?: string;
  /** Members of the body that the entry has. */
  body?: readonly string[];
  /** Members of the body of which it only says that they were given. */
  hides?: readonly string[];
}

/** What there is to know of an operation. Routes, checks, types, documentation and tests come from it. */
export interface Operation {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** With `{name}` for what varies. */
  path: string;
  id: string;
  /** A role is one in the project that the path names as `{id}`. */
  access: OperationAccess;
  /** Purpose that an access token needs. Required with the access `token`. */
  purpose?: TokenPurpose;
  /** The path names something else: the operation itself checks the role in the project that it belongs to. */
  isRoleOfContent?: true;
  /** Parameter of the path with a person who may do it for themselves, whatever their role in the project. */
  orThemselves?: string;
  /** It changes nothing, although its method is not GET: see {@link scopeOf}. */
  onlyReads?: true;
  /** Its answer is the same for everybody and follows from the catalog: kept until that changes, with an entity tag (RFC 9110). */
  followsCatalog?: true;
  /** Bounds its readers itself, as streams and exports do: see {@link isLimitedRead}. */
  limitsReaders?: true;
  /**
   * Its answers have versions (entity tags, RFC 9110 section 8.8.3): `read` answers one, `change` takes it in `If-Match`,
   * and is refused when what it changes has another by now.
   */
  version?: 'read' | 'change';
  /** People who are signed in must have shown who they are a few minutes ago: a session that is left open is not enough. */
  confirms?: true;
  /** People who have to set up a second factor may call it before they have. */
  beforeSecondFactor?: true;
  /** Maximum number of the things that it creates: of a project, of a person, or of the instance. 409 beyond it. */
  limit?: number;
  /** What the audit log has of it, unless it follows from the rest; see {@link auditOf}. */
  audit?: Audit;
  tag: string;
  summary: string;
  description?: string;
  params?: Readonly<Record<string, PathParameter>>;
  /** Others are refused; without any declared, all are ignored. */
  query?: Readonly<Record<string, QueryParameter>>;
  /** Others come along, as of somebody else's redirect. */
  ignoresOtherQuery?: true;
  /** Headers that it reads, beside those that all do. */
  headers?: Readonly<Record<string, TSchema & { description?: string }>>;
  /** Its headers are a visitor's, passed on by the proxy that asks: they say nothing about the connection to us. */
  hasVisitorHeaders?: true;
  body?: TSchema;
  /** The operation itself checks the body: as parsed, or from its bytes. */
  checksBody?: 'parsed' | 'bytes';
  /** A body of any media type, with any encoding, that the operation itself decodes: so many bytes at most, as sent. */
  maxRawBytes?: number;
  /** What is said of a body that does not fit, before its faults; a general sentence with the faults unless given. */
  bodyFault?: string;
  /** Of the answer when all is well; 200 when absent. */
  status?: number;
  answer?: TSchema;
  /** Media type of the answer; JSON when absent. */
  mediaType?: string;
  /** What the answer can be instead, as a text, when asked for. */
  otherMediaType?: string;
  /** Statuses of problems, beside those that follow from the access and those every operation has. */
  problems?: readonly number[];
  /** What a problem can be instead of a problem document, as JSON, for a caller that demands it. */
  otherProblem?: TSchema;
  /** What a status means here, where that is not what it means elsewhere. */
  problemDescriptions?: Readonly<Record<number, string>>;
  /** Headers of the answer: what they say. */
  answerHeaders?: Readonly<Record<string, string>>;
}

export interface PathParameter {
  description: string;
  schema: TSchema;
  /** What it is the id of, in the answer to a text that is not an id; absent where any text will do. */
  noun?: string;
}

/** A parameter of the query, and how it is read. */
export interface QueryParameter<T = unknown> {
  description: string;
  schema: TSchema;
  /** What each value must be. */
  fault: string;
  /** @param texts those that are not blank. @returns undefined when one of them does not fit. */
  read(texts: readonly string[]): T | undefined;
}

/** A parameter as OpenAPI has it. */
export interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  description: string;
  schema: object;
  required?: true;
}

/** What an operation reads from the path. */
export type ParamsOf<O extends Operation> = { [K in keyof O['params']]: string };

/** What an operation reads from the query. */
export type QueryOf<O extends Pick<Operation, 'query'>> = {
  [K in keyof O['query']]: O['query'][K] extends QueryParameter<infer T> ? T : never;
};

/** The body of an operation, once it is checked. */
export type BodyOf<O extends Operation> = O['checksBody'] extends 'bytes'
  ? Buffer | undefined
  : O['checksBody'] extends 'parsed'
    ? unknown
    : O['body'] extends TSchema
      ? Static<O['body']>
      : undefined;

/** Returns the query that has only these parameters. */
export function queryWith<O extends Pick<Operation, 'query'>>({ query }: O, given: Partial<QueryOf<O>>): QueryOf<O> {
  const absent = Object.entries(query ?? {}).map(([name, { read }]) => [name, read([])]);
  return { ...Object.fromEntries(absent), ...given };
}

/** Sites report visits and ask questions with tokens; everything else that isn't read changes something. */
export const auditOf = ({ audit, method, access, onlyReads }: Operation): Audit =>
  audit ?? (method === 'get' || onlyReads || access === 'token' ? 'nothing' : 'changes');

/** By access, the scopes of what is read and of what changes something; null where no API key is taken. */
const SCOPES: Record<OperationAccess, readonly [read: ApiKeyScope, change: ApiKeyScope] | null> = {
  public: null,
  shared: null,
  token: null,
  session: null,
  open: null,
  internal: null,
  operator: null,
  authenticated: ['read', 'write'],
  viewer: ['read', 'write'],
  // What viewers may not read are secrets, and who did what.
  member: ['write', 'write'],
  owner: ['admin', 'admin'],
  administrator: ['read', 'admin'],
};

/** Returns the scope that an API key needs for an operation; null where none is taken. */
export function scopeOf({ access, method, onlyReads }: Operation): ApiKeyScope | null {
  const [read, change] = SCOPES[access] ?? [null, null];
  return method === 'get' || onlyReads ? read : change;
}

const READ_ACCESS: ReadonlySet<OperationAccess> = new Set([
  'shared',
  'authenticated',
  'session',
  'viewer',
  'member',
  'owner',
  'administrator',
]);

/** Returns whether an operation of the console reads for somebody known, so that the reads of each are limited: 429 beyond. */
export const isLimitedRead = ({ access, method, onlyReads, limitsReaders }: Operation): boolean =>
  READ_ACCESS.has(access) && (method === 'get' || onlyReads === true) && limitsReaders !== true;

const ROLES: ReadonlySet<OperationAccess> = new Set(['viewer', 'member', 'owner']);

/**
 * Declares an operation.
 *
 * @throws Error for a role in a project that neither the path names nor the operation finds out.
 */
export function operation<const O extends Operation>(declaration: O): O {
  const { id, path, access, isRoleOfContent = false } = declaration;
  if (ROLES.has(access) && !path.startsWith('/api/projects/{id}') && !isRoleOfContent) {
    throw new Error(`${id} takes the role of a ${access}, and its path names no project`);
  }
  if ((access === 'token') !== (declaration.purpose !== undefined)) {
    throw new Error(`${id} must declare a purpose if it takes an access token, and only then`);
  }
  return declaration;
}

const IF_MATCH = {
  'If-Match': Type.String({
    description:
      'The `ETag` of what was read, also as a proxy that compresses has changed it (`W/"…"`, `"…-gzip"`): 412 if somebody ' +
      'else has changed it since, with its values now as `current`. Without it, the last change wins.',
  }),
};

/** Of a whole resource, its version is answered with it. */
export const answersVersion = ({ version, method, status = 200 }: Operation): boolean =>
  version !== undefined && method !== 'post' && status === 200;

/** All parameters of an operation, as OpenAPI has them. */
export function parametersOf({ params = {}, headers: own = {}, query = {}, version }: Operation): Parameter[] {
  const headers: Required<Operation>['headers'] = { ...(version === 'change' && IF_MATCH), ...own };
  return [
    ...Object.entries(params).map(([name, { description, schema }]): Parameter => ({
      in: 'path',
      name,
      description,
      schema,
      required: true,
    })),
    ...Object.entries(headers).map(([name, { description = '', ...schema }]): Parameter => ({
      in: 'header',
      name,
      description,
      schema,
    })),
    ...Object.entries(query).map(([name, { description, schema }]): Parameter => ({
      in: 'query',
      name,
      description,
      schema,
    })),
  ];
}

/** An operation that an interface documents. */
export type InterfaceOperation = Operation & { access: InterfaceAccess };

export interface Interface {
  title: string;
  description: string;
  /** What a caller shows. */
  credential: string;
  /** Name of the cookie that does as well, for people in a browser. */
  cookie?: string;
  /** What the operations of each tag are about, in the order in which they are shown. */
  tags: Readonly<Record<string, string>>;
  operations: readonly InterfaceOperation[];
}
