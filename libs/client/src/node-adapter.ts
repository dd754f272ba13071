import { adapterOf, type Adapter, type AdapterOptions } from './adapter-options.js';
import type { Guard } from './guard.js';
import { makeNodeClient } from './node-client.js';
import { observeNode, type NodeResponse } from './observe-node.js';
import type { NodeRequest } from './requests.js';

export type { AdapterOptions } from './adapter-options.js';
export type { NodeResponse } from './observe-node.js';
export type { NodeRequest } from './requests.js';

export const nodeAdapter = (options: AdapterOptions = {}): Adapter => adapterOf(options, makeNodeClient);

/** Middleware in the style of Connect and Express. */
export type NodeMiddleware = (request: NodeRequest, response: NodeResponse, next: () => void) => void;

export function nodeMiddleware({ client, guard }: Adapter): NodeMiddleware {
  return (request, response, next) => {
    observeNode(client, request, response);
    if (guard === null) next();
    else void refuse(guard, request, response).then((isRefused) => !isRefused && next());
  };
}

/** Sends the guard's refusal, if there is one. Returns whether the request was refused. */
async function refuse(guard: Guard, request: NodeRequest, response: NodeResponse): Promise<boolean> {
  const refusal = await guard.refusal(request);
  if (refusal === null || response.headersSent) return false;
  response.statusCode = refusal.status;
  for (const [name, value] of Object.entries(refusal.headers)) response.setHeader(name, value);
  response.end(refusal.body);
  return true;
}
