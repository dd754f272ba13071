import { isObject, parseJson } from './json.js';
import { mcpFields } from './mcp.js';
import type { PlainRequest } from './requests.js';
import type { Visit } from './types.js';

/**
 * The protocols whose bodies say what an agent did: the Model Context Protocol, the Agentic Commerce Protocol and the
 * Universal Commerce Protocol. The last two are also spoken over the first.
 */
export type Protocol = 'mcp' | 'acp' | 'ucp';

/** Bodies that are longer are not read, in bytes: the instance takes visits of up to 512 KiB. */
export const MAX_BODY_BYTES = 250_000;

/** Returns which protocol a request speaks, by its headers and path; null for all others, whose bodies are not read. */
export function protocolOf({
  request_path: path,
  request_method: method,
  request_headers,
}: PlainRequest): Protocol | null {
  const header = (name: string): string => String(request_headers[name] ?? '');
  // A client of MCP accepts both (Streamable HTTP, "Sending messages to the server"); the version comes later.
  const speaksMcp = header('mcp-protocol-version') !== '' || header('accept').includes('text/event-stream');
  if (method === 'POST' && speaksMcp && header('content-type').includes('json')) return 'mcp';
  if (header('ucp-agent') !== '') return 'ucp';
  // Other interfaces have a version in this header, too.
  if (header('api-version') !== '' && path.includes('/checkout_sessions')) return 'acp';
  return null;
}

/** What a visit's bodies say, as the fields of the interface. Bodies that are not of the protocol say nothing. */
export function protocolFields(
  protocol: Protocol,
  request: PlainRequest,
  requestBody: unknown,
  response: { contentType: string; text: string },
): Partial<Visit> {
  if (protocol === 'mcp') return mcpFields(request, requestBody, response);
  const body = parseJson(response.text);
  if (!isObject(body)) return {};
  return protocol === 'acp' ? { acp_response_body: body } : { ucp_response_body: body };
}
