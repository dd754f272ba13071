import { Type, type Static, type TSchema } from 'typebox';
import type { AuditChange, AuditSubject } from '../audit.schema.js';
import type { ApiKeyScope } from '../api-key.schema.js';
import type { TokenPurpose } from '../console.schema.js';

/**
 * Access levels of documented operations. Each project role includes the previous ones. Administrators have every role in
 * every project. API keys have every role in the projects they can access, limited by their scope (see {@link getRequiredScope}).
 */
export type InterfaceAccess =
  /** Accepts requests without a credential, but recognizes a session if there is one. */
  | 'public'
  /** Requires the secret from a shared link (`{secret}` in the path) or badge (`{badge}`), which only works for these operations. */
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
  /** No authentication. Credentials are ignored. */
  | 'open'
  /** Only for other Agent Traffic services. */
  | 'internal'
  /** Only for the operator of the process. */
  | 'operator';

/**
 * Audit mode of an operation. `changes`: database changes are recorded in the same transaction, by table triggers or
 * explicitly. `nothing`: the operation is not audited. {@link AuditedCall}: the call is recorded before the response is
 * sent.
 */
export type Audit = 'changes' | 'nothing' | AuditedCall;

/** The operation's query parameters are also recorded, including defaults. */
export interface AuditedCall {
  change: Extract<AuditChange, 'revealed' | 'done'>;
  subject: AuditSubject;
  /** Path parameter that contains the subject's ID. */
  id?: string;
  /** Body field that contains the project ID if the path doesn't contain it. */
  project?: string;
  /** Body fields to record. */
  body?: readonly string[];
  /** Body fields and query parameters whose presence is recorded without their values. */
  hides?: readonly string[];
}

/** Declares an HTTP operation. Routes, validation, types, documentation and tests are derived from it. */
export interface Operation {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Path with `{name}` placeholders for parameters. */
  path: string;
  id: string;
  /**
   * Access level. If it is a project role, the caller must have this role in the project whose ID is `{id}` in the
   * path.
   */
  access: OperationAccess;
  /** Purpose that the access token must have. Required if `access` is `token`. */
  purpose?: TokenPurpose;
  /**
   * True if the path identifies a resource within a project instead of the project itself. The operation then checks
   * the caller's role.
   */
  isRoleOfContent?: true;
  /** Path parameter that contains a user ID. This user can call the operation regardless of their role. */
  orThemselves?: string;
  /** True if the operation doesn't change anything although its method isn't GET. See {@link getRequiredScope}. */
  onlyReads?: true;
  /**
   * True if the response depends only on the catalog. It then has an ETag (RFC 9110) and is cached until the catalog
   * changes.
   */
  followsCatalog?: true;
  /**
   * True if the operation enforces its own limit on concurrent readers, as streams and exports do. See {@link
   * isLimitedRead}.
   */
  limitsReaders?: true;
  /**
   * Optimistic locking with ETags (RFC 9110, section 8.8.3). `read` returns the ETag. `change` accepts it in `If-Match`
   * and is rejected if the resource has changed since.
   */
  version?: 'read' | 'change';
  /** Requires a session that was confirmed in the last few minutes, by signing in or entering the password. */
  confirms?: true;
  /** Allowed before a required second factor has been set up. */
  beforeSecondFactor?: true;
  /** Maximum number of resources of this kind per project, user or instance. Creating more returns 409. */
  limit?: number;
  /** How the operation is audited. {@link getAudit} derives the default. */
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
  /**
   * True if the request headers are a visitor's, forwarded by a proxy, so they don't describe the connection to this
   * service.
   */
  hasVisitorHeaders?: true;
  body?: TSchema;
  /** Set if the operation validates the body itself, either after parsing or as bytes. */
  checksBody?: 'parsed' | 'bytes';
  /** Maximum size of the body as sent, in bytes. The body can have any media type, and the operation decodes it itself. */
  maxRawBytes?: number;
  /** Problem detail for an invalid body, which precedes the list of faults. Default: a generic sentence. */
  bodyFault?: string;
  /** Status of a successful response. Default: 200. */
  status?: number;
  answer?: TSchema;
  /** Media type of the response. Default: JSON. */
  mediaType?: string;
  /** Text media type that the caller can request instead. */
  otherMediaType?: string;
  /**
   * Descriptions of statuses whose responses can be text, although some of them are also problems. The method sends all
   * responses itself.
   */
  textAnswers?: Readonly<Record<number, string>>;
  /** Problem statuses in addition to those derived from the access level and those common to all operations. */
  problems?: readonly number[];
  /** Schema of the JSON error for callers that require a format other than problem documents. */
  otherProblem?: TSchema;
  /** Descriptions of statuses that have a special meaning for this operation. */
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

export interface QueryParameter<T = unknown> {
  description: string;
  schema: TSchema;
  /** Problem detail for invalid values, such as "must be a project ID". */
  fault: string;
  /** Parses non-blank values. Returns undefined if any value is invalid. */
  read(texts: readonly string[]): T | undefined;
}

export interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  description: string;
  schema: object;
  required?: true;
}

export type ParamsOf<O extends Operation> = { [K in keyof O['params']]: string };

export type QueryOf<O extends Pick<Operation, 'query'>> = {
  [K in keyof O['query']]: O['query'][K] extends QueryParameter<infer T> ? T : never;
};

/** Type of an operation's validated body. */
export type BodyOf<O extends Operation> = O['checksBody'] extends 'bytes'
  ? Buffer | undefined
  : O['checksBody'] extends 'parsed'
    ? unknown
    : O['body'] extends TSchema
      ? Static<O['body']>
      : undefined;

/** Returns a complete parsed query in which all other parameters are absent. */
export function completeQuery<O extends Pick<Operation, 'query'>>(
  { query }: O,
  present: Partial<QueryOf<O>>,
): QueryOf<O> {
  const absent = Object.entries(query ?? {}).map(([name, { read }]) => [name, read([])]);
  return { ...Object.fromEntries(absent), ...present };
}

/** Returns how an operation is audited. By default, changes are audited unless they require an access token. */
export const getAudit = ({ audit, method, access, onlyReads }: Operation): Audit =>
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
  // Even reads require the `write` scope, because operations for members return secrets or user activity.
  member: ['write', 'write'],
  owner: ['admin', 'admin'],
  administrator: ['read', 'admin'],
};

/** Returns the scope that an API key needs for an operation, or null if the operation doesn't accept API keys. */
export function getRequiredScope({ access, method, onlyReads }: Operation): ApiKeyScope | null {
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

/** Returns true if an operation counts toward the caller's read limit. Exceeding the limit results in a 429 response. */
export const isLimitedRead = ({ access, method, onlyReads, limitsReaders }: Operation): boolean =>
  READ_ACCESS.has(access) && (method === 'get' || onlyReads === true) && limitsReaders !== true;

const ROLES: ReadonlySet<OperationAccess> = new Set(['viewer', 'member', 'owner']);

/**
 * Validates and returns a declaration.
 *
 * @throws {Error} if it requires a project role, but neither its path nor `isRoleOfContent` determines the project.
 * @throws {Error} if it declares a purpose without requiring an access token, or vice versa.
 */
export function operation<const O extends Operation>(declaration: O): O {
  const { id, path, access, isRoleOfContent = false } = declaration;
  if (ROLES.has(access) && !path.startsWith('/api/projects/{id}') && !isRoleOfContent) {
    throw new Error(`${id} requires the ${access} role, but its path does not contain a project`);
  }
  if ((access === 'token') !== (declaration.purpose !== undefined)) {
    throw new Error(`${id} must declare a purpose if and only if it requires an access token`);
  }
  return declaration;
}

const IF_MATCH = {
  'If-Match': Type.String({
    description:
      '`ETag` that you received when you read the resource. If the resource has changed since, the response is 412 and `current` ' +
      'contains its values. Without this header, the last write wins. ETags modified by a compressing proxy ' +
      '(`W/"…"`, `"…-gzip"`) are accepted.',
  }),
};

/** Returns true if the response contains an entire resource and therefore its ETag. */
export const returnsVersion = ({ version, method, status = 200 }: Operation): boolean =>
  version !== undefined && method !== 'post' && status === 200;

/** Converts an operation's path, header and query parameters to OpenAPI parameter objects. */
export function listParameters({
  params = {},
  headers: operationHeaders = {},
  query = {},
  version,
}: Operation): Parameter[] {
  const headers: Required<Operation>['headers'] = { ...(version === 'change' && IF_MATCH), ...operationHeaders };
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
  /** Name of the session cookie that browsers can use instead of the bearer credential. */
  cookie?: string;
  /** Tags with their descriptions, in display order. */
  tags: Readonly<Record<string, string>>;
  operations: readonly InterfaceOperation[];
}
