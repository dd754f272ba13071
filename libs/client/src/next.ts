import { AgentTraffic } from './client.js';
import { nextProxy, nextRoute } from './next-adapter.js';

export type { AdapterOptions } from './adapter-options.js';
export type { Proxy, ProxyEvent, RouteHandler, RouteOptions } from './next-adapter.js';

const makeClient = (options: object): AgentTraffic => new AgentTraffic(options);

/** Reports every request: `export const proxy = agentTraffic()` in proxy.ts (middleware.ts before Next.js 16). */
export const agentTraffic = nextProxy(makeClient);

/** Wraps a route handler. Reports its visits with status and duration, and with data from MCP, ACP and UCP bodies. */
export const withAgentTraffic = nextRoute(makeClient);
