import { Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import pTimeout from 'p-timeout';

/** Milliseconds for clients to end their connections once they were told to. */
const TIMEOUT_MS = 2_000;

/**
 * On close no connection is taken any more, and those that are open get answers for a while longer, each with
 * `Connection: close`: a client that keeps connections must not meet one that is cut while it sends.
 */
export function registerDrain(instance: FastifyInstance): void {
  instance.addHook('preClose', async () => {
    const { server } = instance;
    if (!server.listening) return;
    const ended = new Promise((resolve) => server.once('close', resolve));
    // Not http.Server's own, which cuts idle connections at once.
    Server.prototype.close.call(server);
    await pTimeout(ended, { milliseconds: TIMEOUT_MS, message: false });
  });
}
