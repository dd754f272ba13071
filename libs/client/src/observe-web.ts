import type { AgentTraffic } from './client.js';
import { collectedBody, type CollectedBody } from './collected-body.js';
import { parseJson } from './json.js';
import { needsResponse, protocolFields, protocolOf, type Protocol } from './protocols.js';
import { plainWebRequest, type PlainRequest } from './requests.js';
import type { Visit, WaitUntil } from './types.js';

export interface WebVisitor {
  /** Absent where the runtime has none: then forwarding headers say who it was. */
  clientAddress?: string | undefined;
  waitUntil?: WaitUntil | undefined;
}

/**
 * Answers a request, and reports the visit once there is a response. Passes on what `respond` returns or throws.
 */
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
  // Read from the start: a copy that is not read would be kept in memory as long as the original is read.
  const requestBody = protocol && collectedBody(copyOf(request)?.body ?? null);
  let response: Response | undefined;
  try {
    response = await respond();
    return response;
  } finally {
    const visit: Visit = {
      ...plain,
      created: created.toISOString(),
      // Where a handler throws, all frameworks answer with this.
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
  // Before the response is returned, whose body may be copied only until somebody reads it.
  const copy = (response && copyOf(response)) ?? null;
  const call = parseJson(await textOf(await requestBody, String(plain.request_headers['content-encoding'] ?? '')));
  if (!needsResponse(protocol, plain, call)) {
    void copy?.body?.cancel().catch(() => undefined);
    return visit;
  }
  const text = await textOf(await collectedBody(copy?.body ?? null), response?.headers.get('content-encoding') ?? '');
  return { ...visit, ...protocolFields(protocol, plain, call, { contentType, text }) };
}

/** Returns the text of a body. Some runtimes still name its encoding after they have unpacked it. */
const textOf = async (body: CollectedBody | null, encoding: string): Promise<string> =>
  (await body?.text(encoding)) || (await body?.text()) || '';

/** Null where there can't be one: somebody read it, or it is a WebSocket. */
function copyOf<Message extends Request | Response>(message: Message): Message | null {
  try {
    return message.clone() as Message;
  } catch {
    return null;
  }
}
