import type { TSchema } from 'typebox';
import { ComponentSchemas } from '../component-schemas.js';

/**
 * Who may call an operation. Of the roles in a project each may do what those before it may; an administrator and an
 * admin API key have every role in every project, a limited API key is an owner of its projects.
 */
export type OperationAccess =
  /** Everybody, without a credential. */
  | 'public'
  /** Holders of a project's access token. */
  | 'token'
  /** Holders of any API key, and whoever is signed in; the answer has what they can reach. */
  | 'authenticated'
  /** Whoever is signed in, for themselves: no API key. */
  | 'session'
  | 'viewer'
  | 'member'
  | 'owner'
  | 'administrator';

/** One operation of an interface, as much as its documentation and its tests need. */
export interface Operation {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** With `{name}` for what varies. */
  path: string;
  id: string;
  access: OperationAccess;
  tag: string;
  summary: string;
  description?: string;
  parameters?: Parameter[];
  body?: TSchema;
  /** Of the answer when all is well. */
  status: number;
  answer?: TSchema;
  /** Media type of the answer; JSON when absent. */
  mediaType?: string;
  /** What the answer can be instead, as a text, when asked for. */
  otherMediaType?: string;
  /** Statuses of problems, beside those that follow from the access and those every operation has. */
  problems: number[];
  /** Headers of the answer: what they say. */
  headers?: Record<string, string>;
}

export interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  description: string;
  schema: object;
  required?: true;
}

export interface Interface {
  title: string;
  description: string;
  /** What a caller shows. */
  credential: string;
  /** Name of the cookie that does as well, for people in a browser. */
  cookie?: string;
  operations: readonly Operation[];
}

const DESCRIPTIONS: Record<number, string> = { 204: 'Done', 302: 'Go there' };

const PROBLEM_DESCRIPTIONS: Record<number, string> = {
  400: 'The body is not JSON, or not what its encoding says',
  401: 'The credential is missing, unknown or revoked',
  403: 'Whoever asks may not do this',
  404: 'There is nothing here, or nothing that the credential reaches',
  405: 'The method is not allowed here',
  409: 'The request conflicts with what exists',
  413: 'The body is larger than 5 MiB, as sent or as decoded',
  415: 'The body is not JSON, or has another encoding than gzip, br or zstd',
  422: 'The body or a parameter does not fit; `errors` says where',
  429: 'The rate limit is reached; Retry-After says when to try again',
  500: 'Something failed on our side',
  503: 'Not possible right now; Retry-After says when to try again',
  504: 'The answer took too long',
};

/** What the documentation says of who may call. */
const ACCESS_DESCRIPTIONS: Record<OperationAccess, string> = {
  public: 'Takes no credential.',
  token: "Takes the project's access token.",
  authenticated: 'Takes an API key or a session.',
  session: 'Takes a session.',
  viewer: 'Takes any role in the project.',
  member: 'Takes the role of a member or an owner in the project.',
  owner: 'Takes the role of an owner in the project.',
  administrator: 'Takes an administrator or an admin API key.',
};

/** What a credential can be too little for. */
const ACCESS_PROBLEMS: Record<OperationAccess, readonly number[]> = {
  public: [],
  token: [401],
  authenticated: [401],
  session: [401, 403],
  viewer: [401],
  member: [401, 403],
  owner: [401, 403],
  administrator: [401, 403],
};

/** Where no credential is taken, less is read. */
const OPEN_PROBLEM_DESCRIPTIONS: Record<number, string> = {
  ...PROBLEM_DESCRIPTIONS,
  413: 'The body is larger than 16 KiB',
  415: 'The body is not JSON, or has a content encoding',
};

const SEE_ALSO =
  'See also: [problems](/docs/problems), and the [topics](/docs/events) that other services of yours can read.';

/** An OpenAPI 3.1 document. Schemas with an `$id` become components, others stay in place. */
export function openApiDocument(
  { title, description, credential, cookie, operations }: Interface,
  problem: TSchema,
): object {
  const components = new ComponentSchemas();
  const content = (schema: TSchema, mediaType = 'application/json'): object => ({
    [mediaType]: { schema: components.referenced(schema) },
  });
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const headers = Object.entries(operation.headers ?? {}).map(([name, text]) => [
      name,
      { description: text, schema: { type: 'string' } },
    ]);
    const responses: Record<number, object> = {
      [operation.status]: {
        description: DESCRIPTIONS[operation.status] ?? 'The answer',
        ...(headers.length > 0 && { headers: Object.fromEntries(headers) as object }),
        ...(operation.answer && {
          content: {
            ...content(operation.answer, operation.mediaType),
            ...(operation.otherMediaType && { [operation.otherMediaType]: { schema: { type: 'string' } } }),
          },
        }),
      },
    };
    const problems = new Set([...ACCESS_PROBLEMS[operation.access], ...operation.problems, 503]);
    // With the cookie, a change is taken from the same origin only.
    if (cookie !== undefined && operation.method !== 'get') problems.add(403);
    for (const status of [...problems].toSorted((one, other) => one - other)) {
      responses[status] = {
        description: (operation.access === 'public' ? OPEN_PROBLEM_DESCRIPTIONS : PROBLEM_DESCRIPTIONS)[status],
        content: content(problem, 'application/problem+json'),
      };
    }
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: {
        operationId: operation.id,
        tags: [operation.tag],
        summary: operation.summary,
        description: [operation.description, ACCESS_DESCRIPTIONS[operation.access]].filter(Boolean).join('\n\n'),
        ...(operation.parameters && { parameters: operation.parameters }),
        ...(operation.body && { requestBody: { required: true, content: content(operation.body) } }),
        ...(operation.access === 'public' && { security: [] }),
        ...(operation.access === 'session' && { security: [{ cookie: [] }] }),
        responses,
      },
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: '1',
      description: `${description}\n\n${SEE_ALSO}`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, ...(cookie === undefined ? [] : [{ cookie: [] }])],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: credential },
        ...(cookie !== undefined && { cookie: { type: 'apiKey', in: 'cookie', name: cookie } }),
      },
      schemas: components.schemas,
    },
  };
}
