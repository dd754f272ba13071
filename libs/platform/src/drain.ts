import { Server } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import pTimeout from 'p-timeout';

/** How long clients have to close their connections after `Connection: close`, in milliseconds. */
const CONNECTION_CLOSE_TIMEOUT_MS = 2_000;
/** A server stops listening when no connection was opened for this long, in milliseconds. */
const QUIET_PERIOD_MS = 50;
/** After this time in milliseconds, a short event-loop tick without new connections is enough. */
const QUIET_TIMEOUT_MS = 1_000;
const MAX_QUIET_TICK_MS = 1;
/** After this time in milliseconds, the server stops listening anyway. */
const LISTEN_TIMEOUT_MS = 1_500;

/**
 * Keeps responding for a while during shutdown, with `Connection: close`. Otherwise, a client might reuse a connection
 * that is being closed.
 */
export function registerDrain(instance: FastifyInstance): void {
  instance.addHook('preClose', async () => {
    const { server } = instance;
    await stopListening(server);
    const closed = new Promise((resolve) => server.once('close', resolve));
    const connections = await promisify(server.getConnections.bind(server))();
    if (connections > 0) await pTimeout(closed, { milliseconds: CONNECTION_CLOSE_TIMEOUT_MS, message: false });
  });
}

/** Stops accepting connections but keeps serving open ones. Has no effect if the server isn't listening. */
export async function stopListening(server: Server): Promise<void> {
  if (!server.listening) return;
  await waitForQuiet(server);
  // `http.Server.close` would also close idle connections immediately.
  Server.prototype.close.call(server);
}

/**
 * Resolves when no connections are being opened. When a server stops listening, connections in the accept queue are
 * reset, and proxies don't retry POST requests after a reset.
 */
async function waitForQuiet(server: Server): Promise<void> {
  const startedAt = performance.now();
  let lastConnectionAt = startedAt;
  const onConnection = (): void => {
    lastConnectionAt = performance.now();
  };
  server.on('connection', onConnection);
  for (let now = startedAt; now < startedAt + LISTEN_TIMEOUT_MS; now = performance.now()) {
    const quietPeriodMs = now < startedAt + QUIET_TIMEOUT_MS ? QUIET_PERIOD_MS : 0;
    const remainingMs = lastConnectionAt + quietPeriodMs - now;
    if (remainingMs > 0) {
      await sleep(remainingMs);
      continue;
    }
    await setImmediate();
    if (lastConnectionAt < now && performance.now() - now <= MAX_QUIET_TICK_MS) break;
  }
  server.off('connection', onConnection);
}
