import {
  createNodeAdapter,
  createNodeMiddleware,
  type AdapterOptions,
  type NodeRequest,
  type NodeResponse,
} from './node-adapter.js';

export type { AdapterOptions, NodeRequest, NodeResponse } from './node-adapter.js';

export interface FastifyLike {
  addHook(name: string, hook: (...values: never[]) => unknown): unknown;
}

export type FastifyPlugin = (app: FastifyLike, options: unknown, done: () => void) => void;

/** Plugin for Fastify 4 and 5. `app.register(agentTraffic())` covers every route in the application. */
export function agentTraffic(options: AdapterOptions = {}): FastifyPlugin {
  const adapter = createNodeAdapter(options);
  const middleware = createNodeMiddleware(adapter);
  const plugin: FastifyPlugin = (app, _, done) => {
    app.addHook('onRequest', (request: { raw: NodeRequest }, reply: { raw: NodeResponse }, next: () => void) =>
      middleware(request.raw, reply.raw, next),
    );
    app.addHook('onClose', () => adapter.client.shutdown());
    done();
  };
  return Object.assign(plugin, {
    // Adds the hooks to the parent application instead of an encapsulated scope, as fastify-plugin does.
    [Symbol.for('skip-override')]: true,
    [Symbol.for('fastify.display-name')]: 'agent-traffic',
  });
}
