import { adapterOf, bindings, type Adapter, type AdapterOptions, type MakeClient } from './adapter-options.js';
import type { Refusal } from './guard.js';
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
  /** Returns the address of the connection's peer, for example from `getConnInfo` of Hono's adapter. */
  clientAddress?: ((context: HonoContext) => string | undefined) | undefined;
}

export type HonoMiddleware = (context: HonoContext, next: () => Promise<void>) => Promise<Response | void>;

export const honoMiddleware =
  (makeClient: MakeClient) =>
  ({ clientAddress, ...options }: HonoOptions = {}): HonoMiddleware => {
    let adapter: Adapter | undefined;

    return async (context, next) => {
      // Bindings of a Worker are only available once a request arrives.
      adapter ??= adapterOf({ ...bindings(context.env), ...options }, makeClient);
      const { client, guard } = adapter;
      const request = context.req.raw;
      const node = nodeBindings(context.env);
      if (node !== null) observeNode(client, node.incoming, node.outgoing);
      const refusal = guard && (await guard.refusal(node?.incoming ?? request));
      if (node !== null) return refusal === null ? next() : refused(refusal);
      const visitor = { clientAddress: clientAddress?.(context), waitUntil: waitUntilOf(context) };
      await observeWeb(client, request, visitor, async () => {
        if (refusal === null) await next();
        else context.res = refused(refusal);
        return context.res;
      });
    };
  };

/** Returns the Node.js request and response on @hono/node-server, or null on other runtimes. */
function nodeBindings(env: unknown): { incoming: NodeRequest; outgoing: NodeResponse } | null {
  const bindings = env as { incoming?: NodeRequest; outgoing?: NodeResponse } | null | undefined;
  return bindings?.incoming && bindings.outgoing ? { incoming: bindings.incoming, outgoing: bindings.outgoing } : null;
}

/** Hono's getter throws in runtimes without an execution context. */
function waitUntilOf(context: HonoContext): WaitUntil | undefined {
  try {
    const { executionCtx } = context;
    return (promise) => executionCtx.waitUntil(promise);
  } catch {
    return undefined;
  }
}

const refused = ({ body, ...init }: Refusal): Response => new Response(body, init);
