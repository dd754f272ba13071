import { AgentTraffic } from './client.js';
import { createHonoMiddleware } from './hono-middleware.js';

export type { AdapterOptions } from './adapter-options.js';
export type { HonoContext, HonoMiddleware, HonoOptions } from './hono-middleware.js';

/** Middleware for Hono 4 on any runtime. Register it before any other middleware. */
export const agentTraffic = createHonoMiddleware((options) => new AgentTraffic(options));
