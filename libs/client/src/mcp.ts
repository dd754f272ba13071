import { isObject, objectIn, parseJson } from './json.js';
import type { PlainRequest } from './requests.js';
import type { Visit } from './types.js';

/** Since MCP 2026-07-28, every request has it in `_meta`; before, only `initialize` has it in `params`. */
const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';

/** What a call of MCP says, and the answer of a shop to it. */
export function mcpFields(
  request: PlainRequest,
  requestBody: unknown,
  response: { contentType: string; text: string },
): Partial<Visit> {
  // Versions before 2025-06-18 allow several messages in an array: a visit is about the first.
  const call = Array.isArray(requestBody) ? requestBody.find(isCall) : requestBody;
  if (!isCall(call)) return {};
  const params = objectIn(call, 'params');
  const meta = objectIn(params, '_meta');
  const clientInfo = isObject(params['clientInfo']) ? params['clientInfo'] : objectIn(meta, CLIENT_INFO);
  const answer = answerTo(call, response);
  const error = objectIn(answer, 'error');
  const result = objectIn(answer, 'result');
  return {
    mcp_request_method: text(call['method']),
    mcp_request_tool_name: text(params['name']),
    mcp_request_client_info_name: text(clientInfo['name']),
    mcp_request_client_info_version: text(clientInfo['version']),
    mcp_response_result_is_error: typeof result['isError'] === 'boolean' ? result['isError'] : undefined,
    mcp_response_error_code: typeof error['code'] === 'number' ? error['code'] : undefined,
    mcp_response_error_message: text(error['message']),
    ...commerceFields(request, params, result),
  };
}

/** Says where a shop answered: UCP in `structuredContent`, ACP in the result itself. */
function commerceFields(
  { request_headers: headers }: PlainRequest,
  params: Record<string, unknown>,
  result: Record<string, unknown>,
): Partial<Visit> {
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

/** The message that answers a call: the body, one of several, or one of a stream of events. */
function answerTo(call: Record<string, unknown>, { contentType, text: body }: { contentType: string; text: string }) {
  const messages = contentType.includes('text/event-stream') ? eventData(body).map(parseJson) : [parseJson(body)];
  return messages.flat().find((message) => isObject(message) && message['id'] === call['id'] && !isCall(message));
}

/** The data of each event (WHATWG HTML section 9.2.6); several lines of it are one text. */
const eventData = (stream: string): string[] =>
  stream.split(/\r?\n\r?\n/).map((event) =>
    event
      .split(/\r?\n/)
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice('data:'.length))
      .join('\n'),
  );

const isCall = (message: unknown): message is Record<string, unknown> =>
  isObject(message) && message['jsonrpc'] === '2.0' && typeof message['method'] === 'string';

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
