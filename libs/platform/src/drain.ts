import { Server } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import pTimeout from 'p-timeout';

/** Milliseconds for clients to close their connections after `Connection: close`. */
const END_TIMEOUT_MS = 2_000;
/** Milliseconds to wait for an event-loop tick of at most {@link QUIET_TURN_MS}. */
const QUIET_TURN_TIMEOUT_MS = 500;
const QUIET_TURN_MS = 1;

/**
 * Keeps responding for a while on close, with `Connection: close`. Otherwise, a client that reuses connections could
 * send a request on one that is being closed.
 */
export function registerDrain(instance: FastifyInstance): void {
  instance.addHook('preClose', async () => {
    const { server } = instance;
    await stopListening(server);
    const ended = new Promise((resolve) => server.once('close', resolve));
    const connections = await promisify(server.getConnections.bind(server))();
    if (connections > 0) await pTimeout(ended, { milliseconds: END_TIMEOUT_MS, message: false });
  });
}

/** Refuses new connections but keeps serving open ones. Does nothing if the server isn't listening. */
export async function stopListening(server: Server): Promise<void> {
  if (!server.listening) return;
  await quietTurn(server);
  // `http.Server` would also close idle connections immediately.
  Server.prototype.close.call(server);
}

/**
 * Resolves after a short event-loop tick without new connections. When a server stops listening, connections that wait
 * to be accepted are reset. Proxies don't retry a POST on them.
 */
async function quietTurn(server: Server): Promise<void> {
  let connections = 0;
  const count = (): void => {
    connections += 1;
  };
  server.on('connection', count);
  const deadline = performance.now() + QUIET_TURN_TIMEOUT_MS;
  // Ends the current tick.
  await setImmediate();
  for (let start = performance.now(); start < deadline; start = performance.now()) {
    connections = 0;
    await setImmediate();
    if (connections === 0 && performance.now() - start <= QUIET_TURN_MS) break;
  }
  server.off('connection', count);
}
