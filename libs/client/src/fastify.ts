import {
  nodeAdapter,
  nodeMiddleware,
  type AdapterOptions,
  type NodeRequest,
  type NodeResponse,
} from './node-adapter.js';

export type { AdapterOptions, NodeRequest, NodeResponse } from './node-adapter.js';

/** As much of Fastify as is used. */
export interface FastifyLike {
  addHook(name: string, hook: (...values: never[]) => unknown): unknown;
}

export type FastifyPlugin = (app: FastifyLike, options: unknown, done: () => void) => void;

/** A plugin for Fastify 4 and 5, for all routes of the application: `app.register(agentTraffic())`. */
export function agentTraffic(options: AdapterOptions = {}): FastifyPlugin {
  const adapter = nodeAdapter(options);
  const middleware = nodeMiddleware(adapter);
  const plugin: FastifyPlugin = (app, _, done) => {
    app.addHook('onRequest', (request: { raw: NodeRequest }, reply: { raw: NodeResponse }, next: () => void) =>
      middleware(request.raw, reply.raw, next),
    );
    app.addHook('onClose', () => adapter.client.shutdown());
    done();
  };
  return Object.assign(plugin, {
    // As fastify-plugin does: the hooks are the application's, not those of a scope of its own.
    [Symbol.for('skip-override')]: true,
    [Symbol.for('fastify.display-name')]: 'agent-traffic',
  });
}
