import { createServer } from 'node:net';

/** Whether nobody listens at a port of loopback. */
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
 * Ports that no browser and no `fetch` asks, of those that a stack can have.
 *
 * @see https://fetch.spec.whatwg.org/#port-blocking
 */
const REFUSED_BY_FETCH = new Set([
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
]);

/** Between offsets: more than the ports of one stack are apart. */
const STEP = 300;
/** The highest ports of a stack stay below those that the system gives away. */
const STEPS = 40;

/**
 * An offset with which all the ports are free, and `fetch` asks them.
 *
 * @param ports without an offset.
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
