import { Type, type Static, type TSchema } from 'typebox';
import { IP_ADDRESS } from './ip-address.js';

/** Limits of `POST /visits` that are part of the contract. */
export const VISIT_LIMITS = {
  /** Visits in a request. */
  items: 5_000,
  /** One visit as JSON, in bytes. */
  itemBytes: 512 * 1024,
  /** Nesting of objects and arrays within one visit, itself included. */
  depth: 64,
  /** Characters of `request_path`. */
  pathLength: 8_192,
} as const;

export type HeaderValue = string | number | boolean | null | (string | number | boolean | null)[];

const SCALARS = ['string', 'number', 'boolean', 'null'];

/** HTTP headers as clients send them: names in any case; a null value is the same as an absent one. */
export const HeadersSchema = Type.Unsafe<Record<string, HeaderValue>>({
  type: 'object',
  description: 'Header names, in any case, and their values; those that carry credentials are redacted',
  additionalProperties: { type: [...SCALARS, 'array'], items: { type: SCALARS } },
});

/** An optional field; null is the same as absent. */
const optional = <T extends TSchema & { type?: string }>(schema: T) =>
  Type.Optional(Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] }));

const text = (description: string) => optional(Type.String({ description }));

/** The peer of the connection that a request came by. */
export const ClientAddressSchema = optional(
  Type.String({
    format: IP_ADDRESS,
    description:
      "Address of the connection's peer as your server saw it, such as `request.socket.remoteAddress`, without a port. Where it is given, forwarding headers count only behind a trusted proxy",
    examples: ['203.0.113.7', '2001:db8::7'],
  }),
);

/** One visit: a page view, an MCP call or an agentic commerce interaction. Unknown fields are kept. */
export const VisitSchema = Type.Object(
  {
    request_path: Type.String({
      maxLength: VISIT_LIMITS.pathLength,
      description: 'URL path of the incoming request; may carry a query string',
      examples: ['/articles/1?page=2'],
    }),
    request_method: Type.String({
      maxLength: 64,
      description: 'HTTP method of the incoming request',
      examples: ['GET'],
    }),
    request_headers: HeadersSchema,
    client_address: ClientAddressSchema,
    response_status_code: optional(Type.Number({ minimum: 0, description: 'HTTP status code of the response' })),
    response_headers: optional(HeadersSchema as typeof HeadersSchema & { type: string }),
    response_duration_in_milliseconds: optional(
      Type.Number({ minimum: 0, description: 'Time to process the request and produce the response' }),
    ),
    created: optional(
      Type.String({
        format: 'timestamp',
        description:
          'When the visit occurred, ISO 8601, of any age since the year 0001; without an offset it is UTC. Missing or in the future: the time of receipt',
        examples: ['2026-11-21T08:30:00Z'],
      }),
    ),
    mcp_request_method: text('`method` of the MCP request body'),
    mcp_request_tool_name: text('`params.name` of the MCP request body, if `method` is `tools/call`'),
    mcp_request_client_info_name: text('`params.clientInfo.name` of the MCP request body'),
    mcp_request_client_info_version: text('`params.clientInfo.version` of the MCP request body'),
    mcp_response_result_is_error: optional(Type.Boolean({ description: '`result.isError` of the MCP response body' })),
    mcp_response_error_code: optional(Type.Number({ description: '`error.code` of the MCP response body' })),
    mcp_response_error_message: text('`error.message` of the MCP response body'),
    acp_response_body: optional(
      Type.Object(
        {},
        { additionalProperties: true, description: 'ACP response body, or the result of an MCP response' },
      ),
    ),
    ucp_response_body: optional(
      Type.Object(
        {},
        { additionalProperties: true, description: 'UCP response body, or the structuredContent of an MCP result' },
      ),
    ),
  },
  { $id: 'Visit', additionalProperties: true, description: 'A visit as it was posted; unknown fields are kept' },
);

export type Visit = Static<typeof VisitSchema> & Record<string, unknown>;

/** Kinds of visit, for filters; a visit can be of several (a UCP answer to an MCP call). */
export const VISIT_KINDS = ['page', 'mcp', 'acp', 'ucp'] as const;
export type VisitKind = (typeof VISIT_KINDS)[number];

const PAGE: readonly VisitKind[] = ['page'];

/** What a visit is: `page` when it carries neither MCP nor agentic commerce fields. */
export function visitKinds(visit: Visit): readonly VisitKind[] {
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
