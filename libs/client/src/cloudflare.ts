import { adapterOf, bindings, type Adapter, type AdapterOptions } from './adapter-options.js';
import { AgentTraffic } from './client.js';
import { observeWeb } from './observe-web.js';
import type { WaitUntil } from './types.js';

export type { AdapterOptions } from './adapter-options.js';

export interface WorkerContext {
  waitUntil: WaitUntil;
}

/** Handlers of a Worker. All except `fetch` are passed through unchanged. */
export interface Worker<Env, Context extends WorkerContext> {
  fetch(request: Request, env: Env, context: Context): Response | Promise<Response>;
}

/** Worker in front of a site: forwards each request to the origin. */
const PASS_ON: Worker<unknown, WorkerContext> = { fetch: (request) => fetch(request) };

/**
 * Wraps a Worker. URL and token default to the bindings `AGENT_TRAFFIC_URL` and `AGENT_TRAFFIC_TOKEN`.
 *
 * @param worker Default: a Worker that forwards each request to the origin.
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
      // Bindings are only available once a request arrives.
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
