import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createNodeAdapter,
  createNodeMiddleware,
  type AdapterOptions,
  type NodeRequest,
  type NodeResponse,
} from './node-adapter.js';

export type { AdapterOptions, NodeRequest, NodeResponse } from './node-adapter.js';

/**
 * Wraps the request listener of a `node:http`, `node:https` or `node:http2` server:
 * `createServer(withAgentTraffic(listener))`.
 */
export function withAgentTraffic<
  Incoming extends NodeRequest = IncomingMessage,
  Outgoing extends NodeResponse = ServerResponse,
>(
  listener: (request: Incoming, response: Outgoing) => unknown,
  options: AdapterOptions = {},
): (request: Incoming, response: Outgoing) => void {
  const middleware = createNodeMiddleware(createNodeAdapter(options));
  return (request, response) => middleware(request, response, () => void listener(request, response));
}
