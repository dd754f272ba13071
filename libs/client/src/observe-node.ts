import { CollectedBody } from './collected-body.js';
import type { AgentTraffic } from './client.js';
import { addDecision } from './decisions.js';
import { parseBody, parseJson } from './json.js';
import { needsResponse, extractProtocolFields, detectProtocol, type Protocol } from './protocols.js';
import { fromNodeRequest, type NodeRequest, type PlainRequest } from './requests.js';
import type { HeaderMap, HeaderValue, Visit } from './types.js';

export interface NodeResponse {
  statusCode: number;
  headersSent: boolean;
  getHeaders(): object;
  once(event: 'close' | 'finish', listener: () => void): unknown;
  /** Like `end`, only called when a request is blocked. */
  setHeader(name: string, value: string): unknown;
  end(body: string): unknown;
}

type Method = (...values: unknown[]) => unknown;
type Methods = Record<'push' | 'write' | 'end' | 'writeHead', Method | undefined>;

/** Reports a visit once the response is complete or the connection closes. Never throws. */
export function observeNode(client: AgentTraffic, request: NodeRequest, response: NodeResponse): void {
  client.attempt(() => observe(client, request, response));
}

function observe(client: AgentTraffic, request: NodeRequest, response: NodeResponse): void {
  const plain = fromNodeRequest(request);
  if (!client.reports(plain.request_path, plain.request_method) || !client.claims(request)) return;
  const [created, started] = [new Date(), performance.now()];
  // Copy the headers, because sites may modify them, for example before forwarding a request.
  plain.request_headers = { ...plain.request_headers };
  const getWrittenHeaders = observeHeaders(response);
  const protocol = detectProtocol(plain);
  const bodies = protocol && collectBodies(request, response);
  let isReported = false;

  const report = (isAborted: boolean): void => {
    if (isReported) return;
    isReported = true;
    const headers = { ...(response.getHeaders() as HeaderMap), ...getWrittenHeaders() };
    const visit: Visit = {
      ...plain,
      created: created.toISOString(),
      // No status reached the visitor if the connection closed before the headers were sent.
      response_status_code: response.headersSent ? response.statusCode : undefined,
      response_headers: headers,
      response_duration_in_milliseconds: performance.now() - started,
      ...(isAborted && { response_aborted: true }),
    };
    const decidedVisit = addDecision(request, visit);
    client.record(bodies === null ? decidedVisit : addProtocolFields(decidedVisit, protocol!, plain, bodies, request));
  };
  response.once('finish', () => client.attempt(() => report(false)));
  // `close` is emitted for every response. If it comes before `finish`, the visitor disconnected. If it comes after,
  // the visit has already been reported.
  response.once('close', () => client.attempt(() => report(true)));
}

interface Bodies {
  request: CollectedBody;
  response: CollectedBody;
}

async function addProtocolFields(
  visit: Visit,
  protocol: Protocol,
  plain: PlainRequest,
  bodies: Bodies,
  { body: parsedBody }: NodeRequest,
): Promise<Visit> {
  const header = (name: string): string => String(visit.response_headers?.[name] ?? '');
  const requestEncoding = String(plain.request_headers['content-encoding'] ?? '');
  const requestBody = parseBody(parsedBody) ?? parseJson(await bodies.request.text(requestEncoding));
  if (!needsResponse(protocol, plain, requestBody)) return visit;
  const text = await bodies.response.text(header('content-encoding'));
  return {
    ...visit,
    ...extractProtocolFields(protocol, plain, requestBody, { contentType: header('content-type'), text }),
  };
}

/** Records request and response body chunks without consuming the streams. */
function collectBodies(request: NodeRequest, response: NodeResponse): Bodies {
  const bodies = { request: new CollectedBody(), response: new CollectedBody() };
  // Chunks that are already buffered can't be recorded.
  if ((request as { readableLength?: number }).readableLength) bodies.request.discard();
  tap(request, 'push', ([chunk]) => bodies.request.add(chunk));
  tap(response, 'write', ([chunk]) => bodies.response.add(chunk));
  tap(response, 'end', ([chunk]) => bodies.response.add(chunk));
  return bodies;
}

/** Records headers passed to `writeHead`, because `getHeaders` doesn't return them. */
function observeHeaders(response: NodeResponse): () => HeaderMap {
  const headers: HeaderMap = {};
  tap(response, 'writeHead', (values) => {
    for (const [name, value] of toHeaderEntries(values.find((input) => typeof input === 'object' && input !== null))) {
      headers[name.toLowerCase()] = value;
    }
  });
  return () => headers;
}

/** Accepts all `writeHead` formats: an object, an array of pairs, or a flat array of alternating names and values. */
function toHeaderEntries(input: unknown): [name: string, value: HeaderValue][] {
  if (!Array.isArray(input)) return Object.entries((input ?? {}) as HeaderMap);
  if (Array.isArray(input[0])) return input as [string, HeaderValue][];
  return input.flatMap((name: string, index) => (index % 2 === 0 ? [[name, input[index + 1] as HeaderValue]] : []));
}

/** Wraps a method so that a callback receives its arguments before each call. */
function tap(target: object, name: keyof Methods, onCall: (values: unknown[]) => void): void {
  const methods = target as Methods;
  const original = methods[name];
  if (typeof original !== 'function') return;
  methods[name] = function tapped(this: unknown, ...values) {
    try {
      onCall(values);
    } catch {
      // Reporting must not break the site.
    }
    return original.apply(this, values);
  };
}
