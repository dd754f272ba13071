import { AgentTraffic } from './client.js';
import { createNextProxy, createNextRoute } from './next-adapter.js';

export type { AdapterOptions } from './adapter-options.js';
export type { Proxy, ProxyEvent, ProxyOptions, RouteHandler, RouteOptions } from './next-adapter.js';

const createClient = (options: object): AgentTraffic => new AgentTraffic(options);

/**
 * Creates a proxy that reports every request. In proxy.ts (middleware.ts before Next.js 16), use `export const proxy =
 * agentTraffic()`.
 */
export const agentTraffic = createNextProxy(createClient);

/** Wraps a route handler and reports its visits, including status, duration and data from MCP, ACP and UCP bodies. */
export const withAgentTraffic = createNextRoute(createClient);
