import { createNodeAdapter, createNodeMiddleware, type AdapterOptions, type NodeMiddleware } from './node-adapter.js';

export type { AdapterOptions, NodeMiddleware, NodeRequest, NodeResponse } from './node-adapter.js';

/** Middleware for Express 4 and 5. Register it before any other middleware. */
export const agentTraffic = (options: AdapterOptions = {}): NodeMiddleware =>
  createNodeMiddleware(createNodeAdapter(options));
