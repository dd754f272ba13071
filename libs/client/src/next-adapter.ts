import { createAdapter, type AdapterOptions, type ClientFactory } from './adapter-options.js';
import type { AgentTraffic } from './client.js';
import { addDecision } from './decisions.js';
import { observeWeb } from './observe-web.js';
import { fromWebRequest } from './requests.js';
import type { WaitUntil } from './types.js';

export interface ProxyEvent {
  waitUntil: WaitUntil;
}

/** Resolves to a response for blocked requests, or to undefined to let Next.js handle the request. */
export type Proxy = (request: Request, event: ProxyEvent) => Promise<Response | undefined>;

export interface ProxyOptions extends AdapterOptions {
  /**
   * The `NextResponse` class from `next/server`. The proxy uses it to mark the requests that it reports, so wrapped route
   * handlers don't report them again.
   */
  NextResponse?: { next(init: { request: { headers: Headers } }): Response } | undefined;
}

export interface RouteOptions extends AdapterOptions {
  /** The `after` function from `next/server`. It extends the runtime's lifetime until the visit is sent. */
  after?: ((task: () => Promise<unknown>) => void) | undefined;
}

export type RouteHandler<Incoming extends Request, Context> = (
  request: Incoming,
  context: Context,
) => Response | Promise<Response>;

/** Request header with the marks of the projects that the request was reported to. */
const REPORTED_HEADER = 'x-agent-traffic-reported';

/**
 * Creates `agentTraffic` for proxy.ts. A proxy can't see the response, so only blocked visits are reported with a
 * status code.
 */
export const createNextProxy =
  (createClient: ClientFactory) =>
  ({ NextResponse, ...options }: ProxyOptions = {}): Proxy => {
    const { client, guard } = createAdapter(options, createClient);
    return async (request, event) => {
      const waitUntil: WaitUntil = (promise) => event.waitUntil(promise);
      const refusal = guard && (await guard.refusal(request, { waitUntil }));
      const plain = fromWebRequest(request);
      if (client.reports(plain.request_path, plain.request_method) && client.claims(request)) {
        const created = new Date().toISOString();
        const visit = { ...plain, created, ...(refusal && { response_status_code: refusal.status }) };
        client.record(addDecision(request, visit), waitUntil);
        if (refusal === null && NextResponse !== undefined) {
          const headers = new Headers(request.headers);
          headers.append(REPORTED_HEADER, await client.reportMark());
          return NextResponse.next({ request: { headers } });
        }
      }
      return refusal === null ? undefined : new Response(refusal.body, refusal);
    };
  };

const isReported = async (client: AgentTraffic, request: Request): Promise<boolean> =>
  request.headers
    .get(REPORTED_HEADER)
    ?.split(', ')
    .includes(await client.reportMark()) ?? false;

/**
 * Creates `withAgentTraffic`, which wraps route handlers: `export const POST = withAgentTraffic(handler, { after })`.
 */
export const createNextRoute =
  (createClient: ClientFactory) =>
  <Incoming extends Request, Context>(
    handler: RouteHandler<Incoming, Context>,
    { after, ...options }: RouteOptions = {},
  ): RouteHandler<Incoming, Context> => {
    const { client, guard } = createAdapter(options, createClient);
    const waitUntil: WaitUntil | undefined = after && ((promise) => after(() => promise));
    return async (request, context) => {
      const respond = async (): Promise<Response> => {
        const refusal = guard && (await guard.refusal(request, { waitUntil }));
        return refusal === null ? handler(request, context) : new Response(refusal.body, refusal);
      };
      return (await isReported(client, request)) ? respond() : observeWeb(client, request, { waitUntil }, respond);
    };
  };
