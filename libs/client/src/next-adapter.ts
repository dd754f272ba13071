import { adapterOf, type AdapterOptions, type MakeClient } from './adapter-options.js';
import { observeWeb } from './observe-web.js';
import { plainWebRequest } from './requests.js';
import type { WaitUntil } from './types.js';

export interface ProxyEvent {
  waitUntil: WaitUntil;
}

/** Returns nothing where Next.js is to go on. */
export type Proxy = (request: Request, event: ProxyEvent) => Promise<Response | undefined>;

export interface RouteOptions extends AdapterOptions {
  /** `after` of `next/server`: keeps what waits to be sent alive after the response. */
  after?: ((task: () => Promise<unknown>) => void) | undefined;
}

export type RouteHandler<Incoming extends Request, Context> = (
  request: Incoming,
  context: Context,
) => Response | Promise<Response>;

/** `export const proxy = agentTraffic()` in proxy.ts. A proxy does not know the response: visits have no status. */
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

/** Wraps the handler of a route, whose response is known: `export const POST = withAgentTraffic(handler, { after })`. */
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
