import { adapterOf, bindings, type Adapter, type AdapterOptions } from './adapter-options.js';
import { AgentTraffic } from './client.js';
import { observeWeb } from './observe-web.js';
import type { WaitUntil } from './types.js';

export type { AdapterOptions } from './adapter-options.js';

export interface WorkerContext {
  waitUntil: WaitUntil;
}

/** The handler of a worker; others than `fetch` stay as they are. */
export interface Worker<Env, Context extends WorkerContext> {
  fetch(request: Request, env: Env, context: Context): Response | Promise<Response>;
}

/** In front of a site: the worker passes each request on to it. */
const PASS_ON: Worker<unknown, WorkerContext> = { fetch: (request) => fetch(request) };

/**
 * Wraps a worker. Address and token are `AGENT_TRAFFIC_URL` and `AGENT_TRAFFIC_TOKEN` of its bindings, unless given.
 *
 * @param worker absent: one that passes requests on to the site behind it.
 */
export function withAgentTraffic<
  Env = unknown,
  Context extends WorkerContext = WorkerContext,
  Others extends object = object,
>(worker?: Worker<Env, Context> & Others, options: AdapterOptions = {}): Worker<Env, Context> & Others {
  const wrapped = worker ?? (PASS_ON as Worker<Env, Context> & Others);
  let adapter: Adapter | undefined;
  return {
    ...wrapped,
    fetch(request: Request, env: Env, context: Context): Promise<Response> {
      // Bindings are known once there is a request.
      adapter ??= adapterOf({ ...bindings(env), ...options }, (settings) => new AgentTraffic(settings));
      const { client, guard } = adapter;
      const waitUntil: WaitUntil = (promise) => context.waitUntil(promise);
      return observeWeb(client, request, { waitUntil }, async () => {
        const refusal = guard && (await guard.refusal(request));
        return refusal === null ? wrapped.fetch(request, env, context) : new Response(refusal.body, refusal);
      });
    },
  };
}
