/** For `app.use()` in main.ts, on Express and on Fastify: before guards and routes, and for pages that are not found. */
export {
  agentTraffic,
  type AdapterOptions,
  type NodeMiddleware,
  type NodeRequest,
  type NodeResponse,
} from './express.js';
