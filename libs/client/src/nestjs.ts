/**
 * Middleware for `app.use()` in main.ts, on Express or Fastify. It runs before guards and routing, so it also reports
 * requests that match no route.
 */
export {
  agentTraffic,
  type AdapterOptions,
  type NodeMiddleware,
  type NodeRequest,
  type NodeResponse,
} from './express.js';
