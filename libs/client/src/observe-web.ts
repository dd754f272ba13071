import type { AgentTraffic } from './client.js';
import { collectBody, type CollectedBody } from './collected-body.js';
import { addDecision } from './decisions.js';
import { parseJson } from './json.js';
import { needsResponse, extractProtocolFields, detectProtocol, type Protocol } from './protocols.js';
import { fromWebRequest, type PlainRequest } from './requests.js';
import type { Visit, WebRequestContext } from './types.js';

/** Calls `respond` and reports the visit. Returns the response or rethrows the error. */
export async function observeWeb(
  client: AgentTraffic,
  request: Request,
  { clientAddress, waitUntil }: WebRequestContext,
  respond: () => Response | Promise<Response>,
): Promise<Response> {
  const plain = fromWebRequest(request, clientAddress);
  if (!client.reports(plain.request_path, plain.request_method) || !client.claims(request)) return respond();
  const [created, started] = [new Date(), performance.now()];
  const protocol = detectProtocol(plain);
  // Read the clone immediately. Otherwise, the runtime would buffer the entire body in memory.
  const requestBody = protocol && collectBody(tryClone(request)?.body ?? null);
  let response: Response | undefined;
  try {
    response = await respond();
    return response;
  } finally {
    const visit: Visit = addDecision(request, {
      ...plain,
      created: created.toISOString(),
      // All frameworks respond with 500 if a handler throws.
      response_status_code: response?.status ?? 500,
      response_headers: Object.fromEntries(response?.headers ?? []),
      response_duration_in_milliseconds: performance.now() - started,
      ...(request.signal?.aborted && { response_aborted: true }),
    });
    client.record(
      protocol === null ? visit : addProtocolFields(visit, protocol, plain, requestBody, response),
      waitUntil,
    );
  }
}

async function addProtocolFields(
  visit: Visit,
  protocol: Protocol,
  plain: PlainRequest,
  requestBody: Promise<CollectedBody> | null,
  response: Response | undefined,
): Promise<Visit> {
  const contentType = response?.headers.get('content-type') ?? '';
  // Clone the response before returning it, because a body can't be cloned once it is being read.
  const copy = (response && tryClone(response)) ?? null;
  const call = parseJson(await decodeText(await requestBody, String(plain.request_headers['content-encoding'] ?? '')));
  if (!needsResponse(protocol, plain, call)) {
    void copy?.body?.cancel().catch(() => undefined);
    return visit;
  }
  const text = await decodeText(await collectBody(copy?.body ?? null), response?.headers.get('content-encoding') ?? '');
  return { ...visit, ...extractProtocolFields(protocol, plain, call, { contentType, text }) };
}

/**
 * Returns the body text. Falls back to uncompressed text, because some runtimes decompress bodies without removing the
 * Content-Encoding header.
 */
const decodeText = async (body: CollectedBody | null, encoding: string): Promise<string> =>
  (await body?.text(encoding)) || (await body?.text()) || '';

/** Returns null if the message can't be cloned because its body was already read or it is a WebSocket upgrade. */
function tryClone<Message extends Request | Response>(message: Message): Message | null {
  try {
    return message.clone() as Message;
  } catch {
    return null;
  }
}
