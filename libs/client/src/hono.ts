import { AgentTraffic } from './client.js';
import { honoMiddleware } from './hono-middleware.js';

export type { AdapterOptions } from './adapter-options.js';
export type { HonoContext, HonoMiddleware, HonoOptions } from './hono-middleware.js';

/** Middleware for Hono 4, on any runtime. Register it before all other middleware. */
export const agentTraffic = honoMiddleware((options) => new AgentTraffic(options));
