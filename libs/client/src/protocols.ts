import { isObject, parseJson } from './json.js';
import { hasMcpHeaders, mcpCall, mcpFields } from './mcp.js';
import { hasHeader, type PlainRequest } from './requests.js';
import type { Visit } from './types.js';

/**
 * Protocols whose bodies show what an agent did: Model Context Protocol, Agentic Commerce Protocol and Universal
 * Commerce Protocol. The last two also work over MCP.
 */
export type Protocol = 'mcp' | 'acp' | 'ucp';

/** Maximum size of a body to read. The instance accepts visits of up to 512 KiB. */
export const MAX_BODY_BYTES = 250_000;

/**
 * Returns the protocol that a request may use, or null if its bodies don't need to be read. Any JSON POST may be MCP
 * until its body is read.
 */
export function protocolOf(request: PlainRequest): Protocol | null {
  const mayBeMcp = isJsonPost(request);
  if (mayBeMcp && hasMcpHeaders(request)) return 'mcp';
  if (hasHeader(request, 'ucp-agent')) return 'ucp';
  // Other APIs use this header for their version, too.
  if (hasHeader(request, 'api-version') && request.request_path.includes('/checkout_sessions')) return 'acp';
  return mayBeMcp ? 'mcp' : null;
}

/** Returns whether the response body is needed. For MCP, it's only needed if the request is a call. */
export const needsResponse = (protocol: Protocol, request: PlainRequest, requestBody: unknown): boolean =>
  protocol !== 'mcp' || mcpCall(request, requestBody) !== null;

/** Returns the visit fields that come from the bodies. Returns none if the bodies don't follow the protocol. */
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
