import { isObject, objectIn, parseJson } from './json.js';
import { hasHeader, type PlainRequest } from './requests.js';
import type { Visit } from './types.js';

/**
 * Key of the client info in `_meta` of every request since MCP 2026-07-28. Earlier versions send `clientInfo` only in
 * the `params` of `initialize`.
 */
const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';
/** Headers that only MCP uses. */
const MCP_HEADERS = ['mcp-protocol-version', 'mcp-session-id', 'mcp-method'];
/** Methods that identify MCP without its headers. `tasks/` is missing because the Agent2Agent protocol uses it, too. */
const MCP_METHOD =
  /^(?:initialize|ping|(?:completion|elicitation|logging|notifications|prompts|resources|roots|sampling|server|tools)\/.+)$/;
/** ID that the Python SDK uses for errors without a specific request. Other servers use null or no ID. */
const SERVER_ERROR_ID = 'server-error';

type Message = Record<string, unknown>;

/** Returns whether the headers are enough to treat a JSON body as an MCP message. */
export function hasMcpHeaders(request: PlainRequest): boolean {
  const accept = String(request.request_headers['accept'] ?? '').toLowerCase();
  // MCP clients should accept both JSON and event streams (Streamable HTTP, "Sending Messages to the Server"), but many
  // don't.
  return accept.includes('text/event-stream') || MCP_HEADERS.some((name) => hasHeader(request, name));
}

/**
 * Returns the MCP call in a request body, or null if there is none. Versions before 2025-06-18 allow several messages
 * in an array. A visit then describes the first message that expects a response, or else the first notification.
 */
export function mcpCall(request: PlainRequest, body: unknown): Message | null {
  const calls = (Array.isArray(body) ? body : [body]).filter(isCall);
  const call = calls.find(({ id }) => id !== undefined) ?? calls[0];
  if (call === undefined) return null;
  return hasMcpHeaders(request) || MCP_METHOD.test(call['method'] as string) ? call : null;
}

export function mcpFields(
  request: PlainRequest,
  call: Message,
  response: { contentType: string; text: string },
): Partial<Visit> {
  const method = call['method'] as string;
  const params = objectIn(call, 'params');
  const meta = objectIn(params, '_meta');
  const clientInfo = isObject(params['clientInfo']) ? params['clientInfo'] : objectIn(meta, CLIENT_INFO);
  const answer = answerTo(call, response);
  const error = objectIn(answer, 'error');
  const result = objectIn(answer, 'result');
  return {
    mcp_request_method: method,
    // `prompts/get` has a name, too.
    mcp_request_tool_name: method === 'tools/call' ? text(params['name']) : undefined,
    mcp_request_client_info_name: text(clientInfo['name']),
    mcp_request_client_info_version: text(clientInfo['version']),
    mcp_response_result_is_error: typeof result['isError'] === 'boolean' ? result['isError'] : undefined,
    mcp_response_error_code: typeof error['code'] === 'number' ? error['code'] : undefined,
    mcp_response_error_message: text(error['message']),
    ...commerceFields(request, params, result),
  };
}

/** Returns the response of a shop. UCP puts it in `structuredContent`, ACP in the result itself. */
function commerceFields({ request_headers: headers }: PlainRequest, params: Message, result: Message): Partial<Visit> {
  const meta = objectIn(objectIn(params, 'arguments'), 'meta');
  const structured = result['structuredContent'];
  const isUcp =
    headers['ucp-agent'] !== undefined ||
    isObject(meta['ucp-agent']) ||
    isObject(objectIn(params, '_meta')['ucp']) ||
    (isObject(structured) && isObject(structured['ucp']));
  if (isUcp) return isObject(structured) ? { ucp_response_body: structured } : {};
  const isAcp = typeof meta['api_version'] === 'string' || headers['api-version'] !== undefined;
  return isAcp && Object.keys(result).length > 0 ? { acp_response_body: result } : {};
}

/**
 * Returns the response to a call, from a JSON body, an array or an event stream. If none matches the call, returns an
 * error that belongs to no specific request.
 */
function answerTo(
  { id }: Message,
  { contentType, text: body }: { contentType: string; text: string },
): Message | undefined {
  const isStream = contentType.toLowerCase().includes('text/event-stream');
  const messages = isStream ? eventData(body).map(parseJson) : [parseJson(body)].flat();
  const answers = messages.flat().filter((message): message is Message => isObject(message) && !isCall(message));
  return (
    // Some servers return numeric IDs as strings.
    answers.find((answer) => id !== undefined && String(answer['id']) === String(id)) ??
    answers.find((answer) => isObject(answer['error']) && isAboutNoRequest(answer['id']))
  );
}

/** Returns the data of each server-sent event (WHATWG HTML section 9.2.6). Lines end with CR, LF or both. */
const eventData = (stream: string): string[] =>
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

const isAboutNoRequest = (id: unknown): boolean => id === undefined || id === null || id === SERVER_ERROR_ID;

const isCall = (message: unknown): message is Message =>
  isObject(message) && message['jsonrpc'] === '2.0' && typeof message['method'] === 'string';

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
