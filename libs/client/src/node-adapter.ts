import { createAdapter, type Adapter, type AdapterOptions, type RequestGuard } from './adapter-options.js';
import { createNodeClient } from './node-client.js';
import { observeNode, type NodeResponse } from './observe-node.js';
import type { NodeRequest } from './requests.js';

export type { AdapterOptions } from './adapter-options.js';
export type { NodeResponse } from './observe-node.js';
export type { NodeRequest } from './requests.js';

export const createNodeAdapter = (options: AdapterOptions = {}): Adapter => createAdapter(options, createNodeClient);

/** Connect-style middleware, as used by Express. */
export type NodeMiddleware = (request: NodeRequest, response: NodeResponse, next: () => void) => void;

export function createNodeMiddleware({ client, guard }: Adapter): NodeMiddleware {
  return (request, response, next) => {
    observeNode(client, request, response);
    if (guard === null) next();
    else void blockRequest(guard, request, response).then((isBlocked) => !isBlocked && next());
  };
}

/** Responds to the request if the guard blocks it. Returns true if it sent a response. */
async function blockRequest(guard: RequestGuard, request: NodeRequest, response: NodeResponse): Promise<boolean> {
  const refusal = await guard.refusal(request);
  if (refusal === null || response.headersSent) return false;
  response.statusCode = refusal.status;
  for (const [name, value] of Object.entries(refusal.headers)) response.setHeader(name, value);
  response.end(refusal.body);
  return true;
}
