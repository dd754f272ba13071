import { nextProxy, nextRoute } from './next-adapter.js';
import { makeNodeClient } from './node-client.js';

export const agentTraffic = nextProxy(makeNodeClient);
export const withAgentTraffic = nextRoute(makeNodeClient);
