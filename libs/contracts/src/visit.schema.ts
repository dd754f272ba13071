import { Type, type Static, type TSchema } from 'typebox';
import { IP_ADDRESS } from './ip-address.js';

/** Documented limits of `POST /visits`. */
export const VISIT_LIMITS = {
  /** Maximum number of visits per request. */
  items: 5_000,
  /** Maximum size of a visit as JSON, in bytes. */
  itemBytes: 512 * 1024,
  /** Maximum nesting depth of a visit, including the visit itself. */
  depth: 64,
  /** Maximum length of `request_path`, in characters. */
  pathLength: 8_192,
} as const;

export type HeaderValue = string | number | boolean | null | (string | number | boolean | null)[];

/** Parts of a response that its size includes: only the body, or also the headers (`sent`). */
const SIZE_TYPES = ['body', 'sent'] as const;

const CACHE_RESULTS = ['hit', 'miss'] as const;
export type CacheResult = (typeof CACHE_RESULTS)[number];

const SCALARS = ['string', 'number', 'boolean', 'null'];

/** HTTP headers as reported by clients. Null values are treated as absent. */
export const HeadersSchema = Type.Unsafe<Record<string, HeaderValue>>({
  type: 'object',
  description: 'HTTP headers. Names are case-insensitive. Headers that contain credentials are redacted.',
  additionalProperties: { type: [...SCALARS, 'array'], items: { type: SCALARS } },
});

/** Makes a field optional. Null is treated as absent. */
const optional = <T extends TSchema & { type?: string }>(schema: T) =>
  Type.Optional(Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] }));

const optionalOneOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Optional(Type.Unsafe<T | null>({ type: ['string', 'null'], enum: [...values, null], description }));

const text = (description: string) => optional(Type.String({ description }));

export const ClientAddressSchema = optional(
  Type.String({
    format: IP_ADDRESS,
    description:
      "IP address of the connection's peer as seen by your server, without a port, such as the value of `request.socket.remoteAddress`. If set, forwarding headers are trusted only if this address belongs to a trusted proxy.",
    examples: ['203.0.113.7', '2001:db8::7'],
  }),
);

/** Page view, MCP call or agentic commerce interaction. Unknown fields are retained. */
export const VisitSchema = Type.Object(
  {
    request_path: Type.String({
      maxLength: VISIT_LIMITS.pathLength,
      description: 'Request path, with or without the query string',
      examples: ['/articles/1?page=2'],
    }),
    request_method: Type.String({
      maxLength: 64,
      description: 'HTTP request method',
      examples: ['GET'],
    }),
    request_headers: HeadersSchema,
    client_address: ClientAddressSchema,
    response_status_code: optional(Type.Number({ minimum: 0, description: 'HTTP response status code' })),
    response_headers: optional(HeadersSchema as typeof HeadersSchema & { type: string }),
    response_duration_in_milliseconds: optional(
      Type.Number({ minimum: 0, description: 'Response time in milliseconds' }),
    ),
    response_size_in_bytes: optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Response size in bytes, after compression. Default: the `Content-Length` response header.',
      }),
    ),
    response_size_type: optionalOneOf(
      SIZE_TYPES,
      'Parts of the response that `response_size_in_bytes` includes: only the body (`body`), or also the headers (`sent`). Default: `body`.',
    ),
    response_cache: optionalOneOf(
      CACHE_RESULTS,
      'Whether a cache served the response (`hit`) or it came from the origin (`miss`). Default: read from the `Cache-Status`, `CF-Cache-Status`, `X-Cache` or `X-Vercel-Cache` response header.',
    ),
    created: optional(
      Type.String({
        format: 'timestamp',
        description:
          'Time of the visit (ISO 8601), from the year 0001. Times without an offset are in UTC. If absent or in the future, the time of receipt is used.',
        examples: ['2026-11-21T08:30:00Z'],
      }),
    ),
    mcp_request_method: text('`method` in the MCP request body. Default: the `Mcp-Method` header of a POST request.'),
    mcp_request_tool_name: text(
      'Name of the tool or prompt (`params.name`) or URI of the resource (`params.uri`) in the MCP request body. Default: the decoded `Mcp-Name` header.',
    ),
    mcp_request_protocol_version: text(
      'MCP version of the request, such as `2026-07-28`. Default: the `MCP-Protocol-Version` header of a POST request.',
    ),
    mcp_request_client_info_name: text('`params.clientInfo.name` in the MCP request body'),
    mcp_request_client_info_version: text('`params.clientInfo.version` in the MCP request body'),
    mcp_response_result_type: text(
      '`result.resultType` in the MCP response body. If it is `input_required`, the call is counted when the client retries it.',
    ),
    mcp_response_result_is_error: optional(Type.Boolean({ description: '`result.isError` in the MCP response body' })),
    mcp_response_error_code: optional(Type.Number({ description: '`error.code` in the MCP response body' })),
    mcp_response_error_message: text('`error.message` in the MCP response body'),
    acp_response_body: optional(
      Type.Object(
        {},
        { additionalProperties: true, description: 'ACP response body, or `result` from an MCP response' },
      ),
    ),
    ucp_response_body: optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'UCP response body, or `result.structuredContent` from an MCP response',
        },
      ),
    ),
  },
  { $id: 'Visit', additionalProperties: true, description: 'Visit, as reported. Unknown fields are retained.' },
);

export type Visit = Static<typeof VisitSchema> & Record<string, unknown>;

/** Kinds of visits, for filters. A visit can have several kinds, for example a UCP response to an MCP call. */
export const VISIT_KINDS = ['page', 'mcp', 'acp', 'ucp'] as const;
export type VisitKind = (typeof VISIT_KINDS)[number];

const PAGE: readonly VisitKind[] = ['page'];

/** Returns the kinds of a visit: `page` if it has neither MCP nor agentic commerce fields. */
export function getVisitKinds(visit: Visit): readonly VisitKind[] {
  const kinds: VisitKind[] = [];
  for (const name in visit) {
    if (name.startsWith('mcp_') && visit[name] !== null) {
      kinds.push('mcp');
      break;
    }
  }
  if (visit.acp_response_body != null) kinds.push('acp');
  if (visit.ucp_response_body != null) kinds.push('ucp');
  return kinds.length === 0 ? PAGE : kinds;
}
