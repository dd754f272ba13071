import { Server } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import pTimeout from 'p-timeout';

/** Milliseconds for clients to end their connections after `Connection: close`. */
const END_TIMEOUT_MS = 2_000;
/** Milliseconds to wait for a turn of the event loop that is no longer than a millisecond. */
const QUIET_TURN_TIMEOUT_MS = 500;
const QUIET_TURN_MS = 1;

/**
 * On close, clients get responses with `Connection: close` for a while, as one that reuses connections must not send a request on
 * a connection that is being cut.
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

/** Refuses new connections, and still serves open ones. Does nothing if the server doesn't listen. */
export async function stopListening(server: Server): Promise<void> {
  if (!server.listening) return;
  await quietTurn(server);
  // http.Server's own method would cut idle connections at once.
  Server.prototype.close.call(server);
}

/**
 * Resolves after a short turn of the event loop without a new connection. Connections that wait to be accepted when the server stops
 * listening are reset, and a proxy doesn't repeat a POST on them.
 */
async function quietTurn(server: Server): Promise<void> {
  let connections = 0;
  const count = (): void => {
    connections += 1;
  };
  server.on('connection', count);
  const deadline = performance.now() + QUIET_TURN_TIMEOUT_MS;
  // The first one only ends the present turn.
  await setImmediate();
  for (let start = performance.now(); start < deadline; start = performance.now()) {
    connections = 0;
    await setImmediate();
    if (connections === 0 && performance.now() - start <= QUIET_TURN_MS) break;
  }
  server.off('connection', count);
}
