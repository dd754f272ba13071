import { CollectedBody } from './collected-body.js';
import type { AgentTraffic } from './client.js';
import { jsonOf, parseJson } from './json.js';
import { needsResponse, protocolFields, protocolOf, type Protocol } from './protocols.js';
import { plainNodeRequest, type NodeRequest, type PlainRequest } from './requests.js';
import type { HeaderMap, HeaderValue, Visit } from './types.js';

export interface NodeResponse {
  statusCode: number;
  headersSent: boolean;
  getHeaders(): object;
  once(event: 'close' | 'finish', listener: () => void): unknown;
  /** Only called to send a refusal. */
  setHeader(name: string, value: string): unknown;
  end(body: string): unknown;
}

type Method = (...values: unknown[]) => unknown;
type Methods = Record<'push' | 'write' | 'end' | 'writeHead', Method | undefined>;

/** Reports a visit once its response is complete or its connection is closed. Never throws. */
export function observeNode(client: AgentTraffic, request: NodeRequest, response: NodeResponse): void {
  client.attempt(() => observe(client, request, response));
}

function observe(client: AgentTraffic, request: NodeRequest, response: NodeResponse): void {
  const plain = plainNodeRequest(request);
  if (!client.reports(plain.request_path, plain.request_method) || !client.claims(request)) return;
  const [created, started] = [new Date(), performance.now()];
  // Copied because sites change request headers, for instance before they forward a request.
  plain.request_headers = { ...plain.request_headers };
  const written = observeHeaders(response);
  const protocol = protocolOf(plain);
  const bodies = protocol && collectBodies(request, response);
  let isReported = false;

  const report = (isAborted: boolean): void => {
    if (isReported) return;
    isReported = true;
    const headers = { ...(response.getHeaders() as HeaderMap), ...written() };
    const visit: Visit = {
      ...plain,
      created: created.toISOString(),
      // A visitor who leaves early gets no status.
      response_status_code: response.headersSent ? response.statusCode : undefined,
      response_headers: headers,
      response_duration_in_milliseconds: performance.now() - started,
      ...(isAborted && { response_aborted: true }),
    };
    client.record(bodies === null ? visit : withBodies(visit, protocol!, plain, bodies, request));
  };
  response.once('finish', () => client.attempt(() => report(false)));
  // Always emitted. Before `finish`, it means that the visitor left.
  response.once('close', () => client.attempt(() => report(true)));
}

interface Bodies {
  request: CollectedBody;
  response: CollectedBody;
}

async function withBodies(
  visit: Visit,
  protocol: Protocol,
  plain: PlainRequest,
  bodies: Bodies,
  { body: parsedBody }: NodeRequest,
): Promise<Visit> {
  const header = (name: string): string => String(visit.response_headers?.[name] ?? '');
  const requestEncoding = String(plain.request_headers['content-encoding'] ?? '');
  const requestBody = jsonOf(parsedBody) ?? parseJson(await bodies.request.text(requestEncoding));
  if (!needsResponse(protocol, plain, requestBody)) return visit;
  const text = await bodies.response.text(header('content-encoding'));
  return { ...visit, ...protocolFields(protocol, plain, requestBody, { contentType: header('content-type'), text }) };
}

/** Records the chunks of both bodies without consuming the streams. */
function collectBodies(request: NodeRequest, response: NodeResponse): Bodies {
  const bodies = { request: new CollectedBody(), response: new CollectedBody() };
  // Chunks that are already buffered can't be recorded.
  if ((request as { readableLength?: number }).readableLength) bodies.request.giveUp();
  tap(request, 'push', ([chunk]) => bodies.request.add(chunk));
  tap(response, 'write', ([chunk]) => bodies.response.add(chunk));
  tap(response, 'end', ([chunk]) => bodies.response.add(chunk));
  return bodies;
}

/** Records headers passed to `writeHead`, which `getHeaders` doesn't return. */
function observeHeaders(response: NodeResponse): () => HeaderMap {
  const headers: HeaderMap = {};
  tap(response, 'writeHead', (values) => {
    for (const [name, value] of headerEntries(values.find((given) => typeof given === 'object' && given !== null))) {
      headers[name.toLowerCase()] = value;
    }
  });
  return () => headers;
}

/** Returns the entries of an object, an array of pairs, or an array that alternates names and values. */
function headerEntries(given: unknown): [name: string, value: HeaderValue][] {
  if (!Array.isArray(given)) return Object.entries((given ?? {}) as HeaderMap);
  if (Array.isArray(given[0])) return given as [string, HeaderValue][];
  return given.flatMap((name: string, index) => (index % 2 === 0 ? [[name, given[index + 1] as HeaderValue]] : []));
}

/** Wraps a method to pass its arguments to `seen` before each call. */
function tap(target: object, name: keyof Methods, seen: (values: unknown[]) => void): void {
  const methods = target as Methods;
  const original = methods[name];
  if (typeof original !== 'function') return;
  methods[name] = function tapped(this: unknown, ...values) {
    try {
      seen(values);
    } catch {
      // Reporting must not break the site.
    }
    return original.apply(this, values);
  };
}
