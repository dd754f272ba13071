import { createServer } from 'node:net';

/** Returns whether a port on 127.0.0.1 is free. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const free = await new Promise<boolean>((resolve) => {
    server
      .once('error', () => resolve(false))
      .listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(true));
  });
  await new Promise((resolve) => server.close(resolve));
  return free;
}

/**
 * Ports within a stack's range that browsers and `fetch` block.
 *
 * @see https://fetch.spec.whatwg.org/#port-blocking
 */
const REFUSED_BY_FETCH = new Set([
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
]);

/** Leaves space for three instances of a service, whose ports are 100 apart. */
const STEP = 300;
/** Keeps all ports below the ephemeral ports of Linux, which start at 32768. */
const STEPS = 40;

/**
 * Returns an offset for which all ports are free and not blocked by `fetch`.
 *
 * @param ports ports without an offset
 */
export async function freePortOffset(ports: readonly number[]): Promise<number> {
  const first = Math.floor(Math.random() * STEPS);
  for (let step = 0; step < STEPS; step += 1) {
    const offset = STEP * (1 + ((first + step) % STEPS));
    const moved = ports.map((port) => port + offset);
    if (moved.some((port) => REFUSED_BY_FETCH.has(port))) continue;
    const free = await Promise.all(moved.map(isFree));
    if (free.every(Boolean)) return offset;
  }
  throw new Error('There are no free ports for another stack.');
}
