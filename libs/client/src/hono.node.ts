import { createHonoMiddleware } from './hono-middleware.js';
import { createNodeClient } from './node-client.js';

export const agentTraffic = createHonoMiddleware(createNodeClient);
