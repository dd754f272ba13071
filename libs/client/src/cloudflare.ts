import { createAdapter, readBindings, type Adapter, type AdapterOptions } from './adapter-options.js';
import { AgentTraffic } from './client.js';
import { observeWeb } from './observe-web.js';
import type { WaitUntil } from './types.js';

export type { AdapterOptions } from './adapter-options.js';

export interface WorkerContext {
  waitUntil: WaitUntil;
}

/** Worker handlers. Only `fetch` is wrapped, and all others are passed through unchanged. */
export interface Worker<Env, Context extends WorkerContext> {
  fetch(request: Request, env: Env, context: Context): Response | Promise<Response>;
}

const FORWARD_TO_ORIGIN: Worker<unknown, WorkerContext> = { fetch: (request) => fetch(request) };

/**
 * Wraps a Worker so that its visits are reported. The URL and token default to the `AGENT_TRAFFIC_URL` and
 * `AGENT_TRAFFIC_TOKEN` bindings.
 *
 * @param worker Default: a Worker that forwards each request to the origin.
 */
export function withAgentTraffic<
  Env = unknown,
  Context extends WorkerContext = WorkerContext,
  Others extends object = object,
>(worker?: Worker<Env, Context> & Others, options: AdapterOptions = {}): Worker<Env, Context> & Others {
  const handlers = worker ?? (FORWARD_TO_ORIGIN as Worker<Env, Context> & Others);
  let adapter: Adapter | undefined;
  return {
    ...handlers,
    fetch(request: Request, env: Env, context: Context): Promise<Response> {
      // Worker bindings are only available once a request arrives.
      adapter ??= createAdapter({ ...readBindings(env), ...options }, (settings) => new AgentTraffic(settings));
      const { client, guard } = adapter;
      const waitUntil: WaitUntil = (promise) => context.waitUntil(promise);
      return observeWeb(client, request, { waitUntil }, async () => {
        const refusal = guard && (await guard.refusal(request, { waitUntil }));
        return refusal === null ? handlers.fetch(request, env, context) : new Response(refusal.body, refusal);
      });
    },
  };
}
