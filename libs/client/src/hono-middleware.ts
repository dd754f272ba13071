import {
  createAdapter,
  readBindings,
  type Adapter,
  type AdapterOptions,
  type ClientFactory,
  type Refusal,
} from './adapter-options.js';
import { observeNode, type NodeResponse } from './observe-node.js';
import { observeWeb } from './observe-web.js';
import type { NodeRequest } from './requests.js';
import type { WaitUntil } from './types.js';

export interface HonoContext {
  req: { raw: Request };
  res: Response;
  env: unknown;
  executionCtx: { waitUntil: WaitUntil };
}

export interface HonoOptions extends AdapterOptions {
  /** Returns the peer address of the connection. Use `getConnInfo` from your Hono adapter, for example. */
  clientAddress?: ((context: HonoContext) => string | undefined) | undefined;
}

export type HonoMiddleware = (context: HonoContext, next: () => Promise<void>) => Promise<Response | void>;

export const createHonoMiddleware =
  (createClient: ClientFactory) =>
  ({ clientAddress, ...options }: HonoOptions = {}): HonoMiddleware => {
    let adapter: Adapter | undefined;

    return async (context, next) => {
      // Worker bindings are only available once a request arrives.
      adapter ??= createAdapter({ ...readBindings(context.env), ...options }, createClient);
      const { client, guard } = adapter;
      const request = context.req.raw;
      const node = getNodeBindings(context.env);
      if (node !== null) {
        observeNode(client, node.incoming, node.outgoing);
        const refusal = guard && (await guard.refusal(node.incoming));
        return refusal === null ? next() : toResponse(refusal);
      }
      const visitor = { clientAddress: clientAddress?.(context), waitUntil: getWaitUntil(context) };
      const refusal = guard && (await guard.refusal(request, visitor));
      await observeWeb(client, request, visitor, async () => {
        if (refusal === null) await next();
        else context.res = toResponse(refusal);
        return context.res;
      });
    };
  };

/** Returns the Node.js request and response if the app runs on @hono/node-server. Returns null on other runtimes. */
function getNodeBindings(env: unknown): { incoming: NodeRequest; outgoing: NodeResponse } | null {
  const bindings = env as { incoming?: NodeRequest; outgoing?: NodeResponse } | null | undefined;
  return bindings?.incoming && bindings.outgoing ? { incoming: bindings.incoming, outgoing: bindings.outgoing } : null;
}

/** Returns undefined in runtimes without an execution context, where Hono's getter throws. */
function getWaitUntil(context: HonoContext): WaitUntil | undefined {
  try {
    const { executionCtx } = context;
    return (promise) => executionCtx.waitUntil(promise);
  } catch {
    return undefined;
  }
}

const toResponse = ({ body, ...init }: Refusal): Response => new Response(body, init);
