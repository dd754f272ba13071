import { createServer } from 'node:net';

export async function isPortFree(port: number): Promise<boolean> {
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
 * Ports in a stack's range that browsers and `fetch` block.
 *
 * @see https://fetch.spec.whatwg.org/#port-blocking
 */
const BLOCKED_BY_FETCH = new Set([
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
]);

/** Distance between offsets. Leaves space for three instances of a service, whose ports are 100 apart. */
const OFFSET_STEP = 300;
/** Number of offsets. With this number, all ports are below Linux's ephemeral ports, which start at 32768. */
const OFFSET_COUNT = 40;

/**
 * Returns an offset at which all ports are free and none is blocked by `fetch`.
 *
 * @param ports Ports without an offset.
 */
export async function findFreePortOffset(ports: readonly number[]): Promise<number> {
  const firstStep = Math.floor(Math.random() * OFFSET_COUNT);
  for (let step = 0; step < OFFSET_COUNT; step += 1) {
    const offset = OFFSET_STEP * (1 + ((firstStep + step) % OFFSET_COUNT));
    const offsetPorts = ports.map((port) => port + offset);
    if (offsetPorts.some((port) => BLOCKED_BY_FETCH.has(port))) continue;
    const free = await Promise.all(offsetPorts.map(isPortFree));
    if (free.every(Boolean)) return offset;
  }
  throw new Error('No free ports for another stack. Stop a running stack and try again.');
}
