import { isObject, parseJson } from './json.js';
import { hasMcpHeaders, mcpCall, mcpFields } from './mcp.js';
import { hasHeader, type PlainRequest } from './requests.js';
import type { Visit } from './types.js';

/**
 * The protocols whose bodies say what an agent did: the Model Context Protocol, the Agentic Commerce Protocol and the
 * Universal Commerce Protocol. The last two are also spoken over the first.
 */
export type Protocol = 'mcp' | 'acp' | 'ucp';

/** Maximum size of a body to read, in bytes: the instance accepts visits of up to 512 KiB. */
export const MAX_BODY_BYTES = 250_000;

/**
 * Returns the protocol that a request may use, or null if its bodies don't need to be read. Only the body of a JSON post
 * shows whether it is a call of MCP.
 */
export function protocolOf(request: PlainRequest): Protocol | null {
  const mayBeMcp = isJsonPost(request);
  if (mayBeMcp && hasMcpHeaders(request)) return 'mcp';
  if (hasHeader(request, 'ucp-agent')) return 'ucp';
  // Other interfaces have a version in this header, too.
  if (hasHeader(request, 'api-version') && request.request_path.includes('/checkout_sessions')) return 'acp';
  return mayBeMcp ? 'mcp' : null;
}

/** Returns whether a response must be read: an MCP one only matters after a call of MCP. */
export const needsResponse = (protocol: Protocol, request: PlainRequest, requestBody: unknown): boolean =>
  protocol !== 'mcp' || mcpCall(request, requestBody) !== null;

/** Returns the fields of a visit that its bodies determine; none for bodies that don't follow the protocol. */
export function protocolFields(
  protocol: Protocol,
  request: PlainRequest,
  requestBody: unknown,
  response: { contentType: string; text: string },
): Partial<Visit> {
  const call = isJsonPost(request) ? mcpCall(request, requestBody) : null;
  if (call !== null) return mcpFields(request, call, response);
  if (protocol === 'mcp') return {};
  const body = parseJson(response.text);
  if (!isObject(body)) return {};
  return protocol === 'acp' ? { acp_response_body: body } : { ucp_response_body: body };
}

const isJsonPost = ({ request_method: method, request_headers: headers }: PlainRequest): boolean =>
  method === 'POST' &&
  String(headers['content-type'] ?? '')
    .toLowerCase()
    .includes('json');
