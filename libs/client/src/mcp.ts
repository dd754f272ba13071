import { isObject, getObject, parseJson } from './json.js';
import { hasHeader, type PlainRequest } from './requests.js';
import type { Visit } from './types.js';

/**
 * Key in `_meta` for client info, sent with every request since MCP 2026-07-28. Earlier versions only send `clientInfo`
 * in the `params` of `initialize`.
 */
const CLIENT_INFO_KEY = 'io.modelcontextprotocol/clientInfo';
/** Key in `_meta` for the protocol version. Before MCP 2026-07-28, only `initialize` contains a version in its body. */
const PROTOCOL_VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
/** Parameter with the name or URI, by method. */
const NAME_PARAMETERS = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);
/** Headers that are unique to MCP. */
const MCP_HEADERS = ['mcp-protocol-version', 'mcp-session-id', 'mcp-method'];
/**
 * Matches methods that identify MCP without its headers. Excludes `tasks/` because the Agent2Agent protocol uses it
 * too.
 */
const MCP_METHOD_PATTERN =
  /^(?:initialize|ping|(?:completion|elicitation|logging|notifications|prompts|resources|roots|sampling|server|tools)\/.+)$/;
/** ID that the MCP Python SDK uses for errors not tied to a request. Other servers use null or omit the ID. */
const SERVER_ERROR_ID = 'server-error';

type Message = Record<string, unknown>;

/** Returns true if the headers alone identify a JSON body as MCP. */
export function hasMcpHeaders(request: PlainRequest): boolean {
  const accept = String(request.request_headers['accept'] ?? '').toLowerCase();
  // MCP clients should accept both JSON and event streams (Streamable HTTP, "Sending Messages to the Server"), but many
  // don't.
  return accept.includes('text/event-stream') || MCP_HEADERS.some((name) => hasHeader(request, name));
}

/**
 * Returns the MCP call from a request body, or null if the body isn't an MCP call. Before version 2025-06-18, a body
 * can contain an array of messages. For an array, returns the first message that expects a response, or else the first
 * notification.
 */
export function findMcpCall(request: PlainRequest, body: unknown): Message | null {
  const calls = (Array.isArray(body) ? body : [body]).filter(isCall);
  const call = calls.find(({ id }) => id !== undefined) ?? calls[0];
  if (call === undefined) return null;
  return hasMcpHeaders(request) || MCP_METHOD_PATTERN.test(call['method'] as string) ? call : null;
}

export function getMcpFields(
  request: PlainRequest,
  call: Message,
  response: { contentType: string; text: string },
): Partial<Visit> {
  const method = call['method'] as string;
  const params = getObject(call, 'params');
  const meta = getObject(params, '_meta');
  const clientInfo = isObject(params['clientInfo']) ? params['clientInfo'] : getObject(meta, CLIENT_INFO_KEY);
  const reply = findResponse(call, response);
  const error = getObject(reply, 'error');
  const result = getObject(reply, 'result');
  return {
    mcp_request_method: method,
    mcp_request_tool_name: toText(params[NAME_PARAMETERS.get(method) ?? '']),
    mcp_request_protocol_version: toText(meta[PROTOCOL_VERSION_KEY]) ?? toText(params['protocolVersion']),
    mcp_request_client_info_name: toText(clientInfo['name']),
    mcp_request_client_info_version: toText(clientInfo['version']),
    mcp_response_result_type: toText(result['resultType']),
    mcp_response_result_is_error: typeof result['isError'] === 'boolean' ? result['isError'] : undefined,
    mcp_response_error_code: typeof error['code'] === 'number' ? error['code'] : undefined,
    mcp_response_error_message: toText(error['message']),
    ...getCommerceFields(request, params, result),
  };
}

/** Returns the shop's response as a visit field. UCP puts it in `structuredContent`, and ACP uses the result itself. */
function getCommerceFields(
  { request_headers: headers }: PlainRequest,
  params: Message,
  result: Message,
): Partial<Visit> {
  const meta = getObject(getObject(params, 'arguments'), 'meta');
  const structured = result['structuredContent'];
  const isUcp =
    headers['ucp-agent'] !== undefined ||
    isObject(meta['ucp-agent']) ||
    isObject(getObject(params, '_meta')['ucp']) ||
    (isObject(structured) && isObject(structured['ucp']));
  if (isUcp) return isObject(structured) ? { ucp_response_body: structured } : {};
  const isAcp = typeof meta['api_version'] === 'string' || headers['api-version'] !== undefined;
  return isAcp && Object.keys(result).length > 0 ? { acp_response_body: result } : {};
}

/**
 * Finds the response to a call in a JSON object, JSON array or event stream. Falls back to an error that isn't tied to
 * a request.
 */
function findResponse(
  { id }: Message,
  { contentType, text: body }: { contentType: string; text: string },
): Message | undefined {
  const isStream = contentType.toLowerCase().includes('text/event-stream');
  const messages = isStream ? parseEventData(body).map(parseJson) : [parseJson(body)].flat();
  const replies = messages.flat().filter((message): message is Message => isObject(message) && !isCall(message));
  return (
    // Some servers return numeric IDs as strings.
    replies.find((reply) => id !== undefined && String(reply['id']) === String(id)) ??
    replies.find((reply) => isObject(reply['error']) && isUnassignedId(reply['id']))
  );
}

/** Returns the data of each server-sent event (WHATWG HTML, section 9.2.6). Lines can end with CR, LF or CRLF. */
const parseEventData = (stream: string): string[] =>
  stream
    .replaceAll(/\r\n?/g, '\n')
    .split('\n\n')
    .map((event) =>
      event
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice('data:'.length))
        .join('\n'),
    );

const isUnassignedId = (id: unknown): boolean => id === undefined || id === null || id === SERVER_ERROR_ID;

const isCall = (message: unknown): message is Message =>
  isObject(message) && message['jsonrpc'] === '2.0' && typeof message['method'] === 'string';

const toText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
