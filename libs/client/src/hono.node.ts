import { honoMiddleware } from './hono-middleware.js';
import { makeNodeClient } from './node-client.js';

export const agentTraffic = honoMiddleware(makeNodeClient);
