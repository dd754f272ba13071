import type { AgentTraffic } from './client.js';
import { collectedBody, type CollectedBody } from './collected-body.js';
import { parseJson } from './json.js';
import { needsResponse, protocolFields, protocolOf, type Protocol } from './protocols.js';
import { plainWebRequest, type PlainRequest } from './requests.js';
import type { Visit, WaitUntil } from './types.js';

export interface WebVisitor {
  /** Address of the connection's peer, if the runtime provides it. */
  clientAddress?: string | undefined;
  waitUntil?: WaitUntil | undefined;
}

/** Calls `respond`, reports the visit, and passes the response or error on. */
export async function observeWeb(
  client: AgentTraffic,
  request: Request,
  { clientAddress, waitUntil }: WebVisitor,
  respond: () => Response | Promise<Response>,
): Promise<Response> {
  const plain = plainWebRequest(request, clientAddress);
  if (!client.reports(plain.request_path, plain.request_method) || !client.claims(request)) return respond();
  const [created, started] = [new Date(), performance.now()];
  const protocol = protocolOf(plain);
  // Read immediately: an unread clone would keep the body in memory while the original is read.
  const requestBody = protocol && collectedBody(copyOf(request)?.body ?? null);
  let response: Response | undefined;
  try {
    response = await respond();
    return response;
  } finally {
    const visit: Visit = {
      ...plain,
      created: created.toISOString(),
      // All frameworks respond with 500 if a handler throws.
      response_status_code: response?.status ?? 500,
      response_headers: Object.fromEntries(response?.headers ?? []),
      response_duration_in_milliseconds: performance.now() - started,
      ...(request.signal?.aborted && { response_aborted: true }),
    };
    client.record(protocol === null ? visit : withBodies(visit, protocol, plain, requestBody, response), waitUntil);
  }
}

async function withBodies(
  visit: Visit,
  protocol: Protocol,
  plain: PlainRequest,
  requestBody: Promise<CollectedBody> | null,
  response: Response | undefined,
): Promise<Visit> {
  const contentType = response?.headers.get('content-type') ?? '';
  // Cloned before the response is returned, because a body can't be cloned once it is being read.
  const copy = (response && copyOf(response)) ?? null;
  const call = parseJson(await textOf(await requestBody, String(plain.request_headers['content-encoding'] ?? '')));
  if (!needsResponse(protocol, plain, call)) {
    void copy?.body?.cancel().catch(() => undefined);
    return visit;
  }
  const text = await textOf(await collectedBody(copy?.body ?? null), response?.headers.get('content-encoding') ?? '');
  return { ...visit, ...protocolFields(protocol, plain, call, { contentType, text }) };
}

/**
 * Returns the text of a body. Falls back to plain text, because some runtimes decompress a body but keep its
 * Content-Encoding.
 */
const textOf = async (body: CollectedBody | null, encoding: string): Promise<string> =>
  (await body?.text(encoding)) || (await body?.text()) || '';

/** Returns null if a message can't be cloned: its body was already read, or it is a WebSocket upgrade. */
function copyOf<Message extends Request | Response>(message: Message): Message | null {
  try {
    return message.clone() as Message;
  } catch {
    return null;
  }
}
