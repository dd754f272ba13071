import { createNextProxy, createNextRoute } from './next-adapter.js';
import { createNodeClient } from './node-client.js';

export const agentTraffic = createNextProxy(createNodeClient);
export const withAgentTraffic = createNextRoute(createNodeClient);
