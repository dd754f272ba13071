import { isObject, parseJson } from './json.js';
import { hasMcpHeaders, findMcpCall, getMcpFields } from './mcp.js';
import { hasHeader, type PlainRequest } from './requests.js';
import type { Visit } from './types.js';

/**
 * Protocols whose message bodies reveal what an agent did: Model Context Protocol, Agentic Commerce Protocol and
 * Universal Commerce Protocol. ACP and UCP can also run over MCP.
 */
export type Protocol = 'mcp' | 'acp' | 'ucp';

/** Maximum body size to read, in bytes. The instance accepts visits up to 512 KiB. */
export const MAX_BODY_BYTES = 250_000;

/**
 * Returns the protocol a request may use, or null if its bodies don't need to be read. A JSON POST request counts as
 * potential MCP until its body has been parsed.
 */
export function detectProtocol(request: PlainRequest): Protocol | null {
  const isPotentialMcp = isJsonPost(request);
  if (isPotentialMcp && hasMcpHeaders(request)) return 'mcp';
  if (hasHeader(request, 'ucp-agent')) return 'ucp';
  // Other APIs also use this header to select a version.
  if (hasHeader(request, 'api-version') && request.request_path.includes('/checkout_sessions')) return 'acp';
  return isPotentialMcp ? 'mcp' : null;
}

/** Returns true if the response body must be read. For MCP, that is the case only if the request body is a call. */
export const needsResponse = (protocol: Protocol, request: PlainRequest, requestBody: unknown): boolean =>
  protocol !== 'mcp' || findMcpCall(request, requestBody) !== null;

/** Extracts visit fields from the bodies. Returns an empty object if the bodies don't follow the protocol. */
export function extractProtocolFields(
  protocol: Protocol,
  request: PlainRequest,
  requestBody: unknown,
  response: { contentType: string; text: string },
): Partial<Visit> {
  const call = isJsonPost(request) ? findMcpCall(request, requestBody) : null;
  if (call !== null) return getMcpFields(request, call, response);
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
