import type { TSchema } from 'typebox';
import { CONFIRMED_MINUTES } from '../account.schema.js';
import { ComponentSchemas } from '../component-schemas.js';
import {
  returnsVersion,
  isLimitedRead,
  listParameters,
  getRequiredScope,
  type Interface,
  type InterfaceAccess,
  type InterfaceOperation,
  type Parameter,
} from './operation.js';

const DESCRIPTIONS: Record<number, string> = { 204: 'No content', 302: 'Redirect' };

type Problem = readonly [name: string, description: string];

const PROBLEMS: Record<number, Problem> = {
  400: ['MalformedBody', 'The body is not valid JSON or cannot be decoded'],
  401: ['Unauthorized', 'The credential is missing, unknown or revoked'],
  403: ['Forbidden', "The credential doesn't permit this operation"],
  404: ['NotFound', 'Not found, or not visible to this credential'],
  405: ['MethodNotAllowed', 'Method not allowed'],
  409: ['Conflict', 'Conflict with the current state'],
  412: ['PreconditionFailed', 'Someone else has changed the resource. `current` contains its current values.'],
  413: ['TooLarge', 'The body exceeds 5 MiB, before or after decoding'],
  415: ['UnsupportedMediaType', 'The body is not JSON, or its content encoding is not gzip, br or zstd'],
  422: ['Invalid', 'The body or a parameter is invalid. `errors` lists each problem.'],
  429: ['TooManyRequests', 'Rate limit exceeded. `Retry-After` contains the number of seconds to wait.'],
  431: ['HeadersTooLarge', 'The URL and headers together exceed 16 KiB'],
  500: ['InternalError', 'Internal error'],
  503: ['Unavailable', 'Temporarily unavailable. `Retry-After` contains the number of seconds to wait.'],
  504: ['Timeout', 'Timeout'],
};

/** Problems for unauthenticated operations, which have a lower body size limit and don't decompress bodies. */
const OPEN_PROBLEMS: Record<number, Problem> = {
  ...PROBLEMS,
  413: ['TooLargeWithoutCredential', 'The body exceeds 16 KiB'],
  415: ['UnsupportedMediaTypeWithoutCredential', 'The body is not JSON, or it uses a content encoding'],
};

const ACCESS_DESCRIPTIONS: Record<InterfaceAccess, string> = {
  public: 'No authentication required.',
  shared: "Requires the secret from a shared link to a project's overview, and a pass if the link has a password.",
  token: "Requires the project's access token.",
  authenticated: 'Requires an API key or a session.',
  session: 'Requires a session.',
  viewer: 'Requires any role in the project.',
  member: 'Requires the member or owner role in the project.',
  owner: 'Requires the owner role in the project.',
  administrator: 'Requires an administrator account or an API key for all projects.',
};

const CONFIRMS_DESCRIPTION =
  `Sessions must have been confirmed within the last ${CONFIRMED_MINUTES} minutes, by signing in or with ` +
  '`POST /api/session/confirmation`. Otherwise, the response is 403 with the type `/docs/problems#confirmation-required`.';

/** Statuses for authentication and permission errors. */
const ACCESS_PROBLEMS: Record<InterfaceAccess, readonly number[]> = {
  public: [],
  shared: [401, 404],
  token: [401, 403],
  authenticated: [401, 403],
  session: [401, 403],
  viewer: [401, 403],
  member: [401, 403],
  owner: [401, 403],
  administrator: [401, 403],
};

const SEE_ALSO =
  'See also the [problem types](/docs/problems) and the [topics](/docs/events) that your other services can read.';

/** Returns an OpenAPI 3.1 document. Schemas with an `$id`, common problems and shared parameters become components. */
export function openApiDocument(
  { title, description, credential, cookie, tags, operations }: Interface,
  problem: TSchema,
): object {
  const components = new ComponentSchemas();
  const shared = new SharedParameters(operations);
  const responseComponents: Record<string, object> = {};
  const content = (schema: TSchema, mediaType = 'application/json'): object => ({
    [mediaType]: { schema: components.replaceWithRefs(schema) },
  });
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const parameters = listParameters(operation);
    const { status = 200 } = operation;
    const answerHeaders = {
      ...operation.answerHeaders,
      ...(operation.followsCatalog && { ETag: 'Version of the content, for `If-None-Match`' }),
      ...(returnsVersion(operation) && {
        ETag: 'Version of the resource. Send it in `If-Match` when you change the resource.',
      }),
    };
    const headers = Object.entries(answerHeaders).map(([name, text]) => [
      name,
      { description: text, schema: { type: 'string' } },
    ]);
    const responses: Record<number, object> = {
      [status]: {
        description: DESCRIPTIONS[status] ?? 'Success',
        ...(headers.length > 0 && { headers: Object.fromEntries(headers) as object }),
        ...(operation.answer && {
          content: {
            ...content(operation.answer, operation.mediaType),
            ...(operation.otherMediaType && { [operation.otherMediaType]: { schema: { type: 'string' } } }),
          },
        }),
      },
    };
    const text = { 'text/plain': { schema: { type: 'string' } } };
    for (const [code, description] of Object.entries(operation.textAnswers ?? {}))
      responses[Number(code)] = { description, content: text };
    if (operation.followsCatalog || operation.headers?.['If-None-Match'])
      responses[304] = { description: 'Not modified since the version in `If-None-Match`' };
    const problems = new Set([...ACCESS_PROBLEMS[operation.access], ...(operation.problems ?? []), 503]);
    if (operation.version === 'change') problems.add(412);
    if (isLimitedRead(operation)) problems.add(429);
    // Long queries can exceed the limit on the URL's length (431), because query values have no limit of their own.
    if (parameters.some((parameter) => parameter.in === 'query')) problems.add(431);
    // Requests that change something with the session cookie are rejected (403) if they come from another origin.
    if (cookie !== undefined && operation.method !== 'get') problems.add(403);
    for (const status of [...problems].toSorted((one, other) => one - other)) {
      const [name, general] = (operation.access === 'public' ? OPEN_PROBLEMS : PROBLEMS)[status]!;
      const description = operation.problemDescriptions?.[status] ?? general;
      const response = {
        description,
        content: {
          ...content(problem, 'application/problem+json'),
          ...(operation.otherProblem && content(operation.otherProblem)),
          ...(operation.textAnswers?.[status] && text),
        },
      };
      if (description !== general || operation.otherProblem) responses[status] = response;
      else {
        responseComponents[name] = response;
        responses[status] = { $ref: `#/components/responses/${name}` };
      }
    }
    const scope = getRequiredScope(operation);
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: {
        operationId: operation.id,
        tags: [operation.tag],
        summary: operation.summary,
        description: [
          operation.description,
          ACCESS_DESCRIPTIONS[operation.access],
          operation.purpose && `The access token must have the \`${operation.purpose}\` purpose.`,
          scope !== null && `API keys require the \`${scope}\` scope.`,
          operation.confirms && CONFIRMS_DESCRIPTION,
        ]
          .filter(Boolean)
          .join('\n\n'),
        ...(parameters.length > 0 && { parameters: parameters.map((parameter) => shared.toReference(parameter)) }),
        ...(operation.body && { requestBody: { required: true, content: content(operation.body) } }),
        ...((operation.access === 'public' || operation.access === 'shared') && { security: [] }),
        ...(operation.access === 'session' && { security: [{ cookie: [] }] }),
        ...(scope !== null && { security: [{ bearer: [scope] }, { cookie: [] }] }),
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
    tags: Object.entries(tags).map(([name, text]) => ({ name, description: text })),
    security: [{ bearer: [] }, ...(cookie === undefined ? [] : [{ cookie: [] }])],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: credential },
        ...(cookie !== undefined && { cookie: { type: 'apiKey', in: 'cookie', name: cookie } }),
      },
      schemas: components.schemas,
      responses: responseComponents,
      parameters: shared.components,
    },
  };
}

/** Component parameters that several operations share. Different parameters with the same name get a numeric suffix. */
class SharedParameters {
  readonly components: Record<string, Parameter> = {};
  private readonly references = new Map<string, { $ref: string }>();

  constructor(operations: readonly InterfaceOperation[]) {
    const seen = new Set<string>();
    for (const parameter of operations.flatMap(listParameters)) {
      const text = JSON.stringify(parameter);
      if (seen.has(text) && !this.references.has(text)) this.add(parameter, text);
      seen.add(text);
    }
  }

  toReference(parameter: Parameter): Parameter | { $ref: string } {
    return this.references.get(JSON.stringify(parameter)) ?? parameter;
  }

  private add(parameter: Parameter, text: string): void {
    let key = parameter.name;
    for (let number = 2; key in this.components; number++) key = `${parameter.name}_${number}`;
    this.components[key] = parameter;
    this.references.set(text, { $ref: `#/components/parameters/${key}` });
  }
}
