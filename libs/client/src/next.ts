import { AgentTraffic } from './client.js';
import { nextProxy, nextRoute } from './next-adapter.js';

export type { AdapterOptions } from './adapter-options.js';
export type { Proxy, ProxyEvent, RouteHandler, RouteOptions } from './next-adapter.js';

const makeClient = (options: object): AgentTraffic => new AgentTraffic(options);

/** `export const proxy = agentTraffic()` in proxy.ts (middleware.ts before Next.js 16): reports every request. */
export const agentTraffic = nextProxy(makeClient);

/** Wraps the handler of a route, and reports its visits with status, duration and what MCP, ACP and UCP say. */
export const withAgentTraffic = nextRoute(makeClient);
