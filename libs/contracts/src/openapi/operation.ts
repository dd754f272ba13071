import { Type, type Static, type TSchema } from 'typebox';
import type { AuditChange, AuditSubject } from '../audit.schema.js';
import type { ApiKeyScope } from '../api-key.schema.js';
import type { TokenPurpose } from '../console.schema.js';

/**
 * Access levels of documented operations. Each project role includes the previous ones. Administrators have every role in
 * every project. API keys have every role in the projects they can access, limited by their scope (see {@link scopeOf}).
 */
export type InterfaceAccess =
  /** No credential required. A session is still recognized. */
  | 'public'
  /** Requires the secret of a shared link (`{secret}` in the path) or of a badge (`{badge}`). Valid only for these operations. */
  | 'shared'
  /** Requires a project's access token. */
  | 'token'
  /** Requires any API key or session. The response only contains resources that the caller can access. */
  | 'authenticated'
  /** Requires a session. API keys are not accepted. */
  | 'session'
  | 'viewer'
  | 'member'
  | 'owner'
  | 'administrator';

/** Access levels of all operations, including undocumented ones. */
export type OperationAccess =
  | InterfaceAccess
  /** No authentication; credentials are ignored. */
  | 'open'
  /** Only for Agent Traffic's other services. */
  | 'internal'
  /** Only for the operator of the process. */
  | 'operator';

/**
 * How an operation is audited. `changes`: records its database changes, through table triggers or `auditDeed` in the
 * transaction. `nothing`: records nothing. An {@link AuditedCall} records the call before the response is sent.
 */
export type Audit = 'changes' | 'nothing' | AuditedCall;

export interface AuditedCall {
  change: Extract<AuditChange, 'revealed' | 'done'>;
  subject: AuditSubject;
  /** Path parameter that contains the subject's ID. */
  id?: string;
  /** Body field that contains the project ID, if the path doesn't. */
  project?: string;
  /** Body fields to record. */
  body?: readonly string[];
  /** Body fields whose presence is recorded without their values. */
  hides?: readonly string[];
}

/** Declaration of an operation. Routes, checks, types, documentation and tests are derived from it. */
export interface Operation {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Path with `{name}` placeholders for parameters. */
  path: string;
  id: string;
  /** A project role refers to the project whose ID is `{id}` in the path. */
  access: OperationAccess;
  /** Purpose that the access token must have. Required if `access` is `token`. */
  purpose?: TokenPurpose;
  /** The path identifies something within a project, and the operation checks the caller's role in that project itself. */
  isRoleOfContent?: true;
  /** Path parameter with a user ID. That user may call the operation for themselves, with any role. */
  orThemselves?: string;
  /** Only reads, although its method isn't GET. See {@link scopeOf}. */
  onlyReads?: true;
  /** The response depends only on the catalog. It has an ETag (RFC 9110) and is cached until the catalog changes. */
  followsCatalog?: true;
  /** Enforces its own limit on concurrent readers, as streams and exports do. See {@link isLimitedRead}. */
  limitsReaders?: true;
  /**
   * Role in optimistic locking by ETag (RFC 9110, section 8.8.3). `read` returns the ETag. `change` accepts it in `If-Match`
   * and is rejected if the resource has changed since.
   */
  version?: 'read' | 'change';
  /** Requires a session that was confirmed in the last few minutes, by signing in or entering the password. */
  confirms?: true;
  /** Allowed before a required second factor has been set up. */
  beforeSecondFactor?: true;
  /** Maximum number of resources of this kind per project, user or instance. Creating more returns 409. */
  limit?: number;
  /** How the operation is audited. {@link auditOf} derives the default. */
  audit?: Audit;
  tag: string;
  summary: string;
  description?: string;
  params?: Readonly<Record<string, PathParameter>>;
  /** Other parameters are rejected. If none are declared, all parameters are ignored. */
  query?: Readonly<Record<string, QueryParameter>>;
  /** Ignores undeclared query parameters, for example those added by a third party's redirect. */
  ignoresOtherQuery?: true;
  /** Headers that the operation reads in addition to the common ones. */
  headers?: Readonly<Record<string, TSchema & { description?: string }>>;
  /** The headers are the visitor's, forwarded by a proxy. They don't describe the connection to this service. */
  hasVisitorHeaders?: true;
  body?: TSchema;
  /** The operation checks the body itself, either parsed or as bytes. */
  checksBody?: 'parsed' | 'bytes';
  /** Accepts a body of any media type and encoding, which the operation decodes. Maximum size as sent, in bytes. */
  maxRawBytes?: number;
  /** Problem detail for an invalid body, shown before its faults. Default: a general sentence. */
  bodyFault?: string;
  /** Status of a successful response. Default: 200. */
  status?: number;
  answer?: TSchema;
  /** Media type of the response. Default: JSON. */
  mediaType?: string;
  /** Text media type that the caller can request instead. */
  otherMediaType?: string;
  /** Problem statuses in addition to those derived from the access level and those common to all operations. */
  problems?: readonly number[];
  /** JSON returned instead of a problem document to callers that require another format. */
  otherProblem?: TSchema;
  /** Descriptions of statuses that mean something else here than in general. */
  problemDescriptions?: Readonly<Record<number, string>>;
  /** Response headers and their descriptions. */
  answerHeaders?: Readonly<Record<string, string>>;
}

export interface PathParameter {
  description: string;
  schema: TSchema;
  /** Noun for the 404 detail if the value isn't an ID. Absent if any text is accepted. */
  noun?: string;
}

/** Query parameter and its parser. */
export interface QueryParameter<T = unknown> {
  description: string;
  schema: TSchema;
  /** Requirement that invalid values violate, for the problem detail. */
  fault: string;
  /** @param texts non-blank values. @returns undefined if any value is invalid. */
  read(texts: readonly string[]): T | undefined;
}

/** OpenAPI parameter object. */
export interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  description: string;
  schema: object;
  required?: true;
}

/** Path parameters of an operation. */
export type ParamsOf<O extends Operation> = { [K in keyof O['params']]: string };

/** Parsed query parameters of an operation. */
export type QueryOf<O extends Pick<Operation, 'query'>> = {
  [K in keyof O['query']]: O['query'][K] extends QueryParameter<infer T> ? T : never;
};

/** Checked body of an operation. */
export type BodyOf<O extends Operation> = O['checksBody'] extends 'bytes'
  ? Buffer | undefined
  : O['checksBody'] extends 'parsed'
    ? unknown
    : O['body'] extends TSchema
      ? Static<O['body']>
      : undefined;

/** Returns a complete query in which all other parameters are absent. */
export function queryWith<O extends Pick<Operation, 'query'>>({ query }: O, given: Partial<QueryOf<O>>): QueryOf<O> {
  const absent = Object.entries(query ?? {}).map(([name, { read }]) => [name, read([])]);
  return { ...Object.fromEntries(absent), ...given };
}

/** Returns how an operation is audited. By default, only changes are, and calls with an access token are not. */
export const auditOf = ({ audit, method, access, onlyReads }: Operation): Audit =>
  audit ?? (method === 'get' || onlyReads || access === 'token' ? 'nothing' : 'changes');

/** API key scopes for reads and changes, by access level. Null if API keys are not accepted. */
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
  // Reads that require the member role return secrets or user activity.
  member: ['write', 'write'],
  owner: ['admin', 'admin'],
  administrator: ['read', 'admin'],
};

/** Returns the scope that an API key requires for an operation, or null if API keys are not accepted. */
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

/** Returns whether an operation counts toward the caller's limit on reads, which responds with 429 when exceeded. */
export const isLimitedRead = ({ access, method, onlyReads, limitsReaders }: Operation): boolean =>
  READ_ACCESS.has(access) && (method === 'get' || onlyReads === true) && limitsReaders !== true;

const ROLES: ReadonlySet<OperationAccess> = new Set(['viewer', 'member', 'owner']);

/**
 * Declares an operation.
 *
 * @throws Error if it requires a project role, but neither its path nor `isRoleOfContent` determines the project.
 */
export function operation<const O extends Operation>(declaration: O): O {
  const { id, path, access, isRoleOfContent = false } = declaration;
  if (ROLES.has(access) && !path.startsWith('/api/projects/{id}') && !isRoleOfContent) {
    throw new Error(`${id} requires the ${access} role, but its path contains no project`);
  }
  if ((access === 'token') !== (declaration.purpose !== undefined)) {
    throw new Error(`${id} must declare a purpose if and only if it requires an access token`);
  }
  return declaration;
}

const IF_MATCH = {
  'If-Match': Type.String({
    description:
      '`ETag` of the resource when it was read. If the resource has changed since, the response is 412 and `current` ' +
      'contains its values. Without this header, the last change wins. ETags changed by a compressing proxy ' +
      '(`W/"…"`, `"…-gzip"`) are accepted.',
  }),
};

/** Returns whether the response contains an entire resource, and so its ETag. */
export const returnsVersion = ({ version, method, status = 200 }: Operation): boolean =>
  version !== undefined && method !== 'post' && status === 200;

/** Returns all parameters of an operation as OpenAPI parameter objects. */
export function parametersOf({ params = {}, headers: declared = {}, query = {}, version }: Operation): Parameter[] {
  const headers: Required<Operation>['headers'] = { ...(version === 'change' && IF_MATCH), ...declared };
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

export type InterfaceOperation = Operation & { access: InterfaceAccess };

export interface Interface {
  title: string;
  description: string;
  /** Description of the bearer credential. */
  credential: string;
  /** Name of the session cookie, if browsers can use one instead. */
  cookie?: string;
  /** Tags with their descriptions, in display order. */
  tags: Readonly<Record<string, string>>;
  operations: readonly InterfaceOperation[];
}
