/**
 * Middleware for `app.use()` in main.ts, on Express or Fastify. It runs before guards and routes, so it also reports
 * requests without a matching route.
 */
export {
  agentTraffic,
  type AdapterOptions,
  type NodeMiddleware,
  type NodeRequest,
  type NodeResponse,
} from './express.js';
