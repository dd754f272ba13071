import { adapterOf, type AdapterOptions, type MakeClient } from './adapter-options.js';
import { observeWeb } from './observe-web.js';
import { plainWebRequest } from './requests.js';
import type { WaitUntil } from './types.js';

export interface ProxyEvent {
  waitUntil: WaitUntil;
}

/** Resolves to undefined to let Next.js handle the request. */
export type Proxy = (request: Request, event: ProxyEvent) => Promise<Response | undefined>;

export interface RouteOptions extends AdapterOptions {
  /** The function `after` from `next/server`. Keeps the runtime alive after the response until the visit is sent. */
  after?: ((task: () => Promise<unknown>) => void) | undefined;
}

export type RouteHandler<Incoming extends Request, Context> = (
  request: Incoming,
  context: Context,
) => Response | Promise<Response>;

/** Creates `agentTraffic` for proxy.ts. A proxy doesn't see the response, so only refused visits have a status. */
export const nextProxy =
  (makeClient: MakeClient) =>
  (options: AdapterOptions = {}): Proxy => {
    const { client, guard } = adapterOf(options, makeClient);
    return async (request, event) => {
      const refusal = guard && (await guard.refusal(request));
      const plain = plainWebRequest(request);
      if (client.reports(plain.request_path, plain.request_method) && client.claims(request)) {
        client.record(
          { ...plain, created: new Date().toISOString(), ...(refusal && { response_status_code: refusal.status }) },
          (promise) => event.waitUntil(promise),
        );
      }
      return refusal === null ? undefined : new Response(refusal.body, refusal);
    };
  };

/**
 * Creates `withAgentTraffic`, which wraps a route handler: `export const POST = withAgentTraffic(handler, { after })`.
 */
export const nextRoute =
  (makeClient: MakeClient) =>
  <Incoming extends Request, Context>(
    handler: RouteHandler<Incoming, Context>,
    { after, ...options }: RouteOptions = {},
  ): RouteHandler<Incoming, Context> => {
    const { client, guard } = adapterOf(options, makeClient);
    const waitUntil: WaitUntil | undefined = after && ((promise) => after(() => promise));
    return (request, context) =>
      observeWeb(client, request, { waitUntil }, async () => {
        const refusal = guard && (await guard.refusal(request));
        return refusal === null ? handler(request, context) : new Response(refusal.body, refusal);
      });
  };
