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

/** Between offsets: more than the ports of one stack are apart. */
const STEP = 300;
/** The highest ports of a stack stay below those that the system gives away. */
const STEPS = 40;

/**
 * An offset with which all the ports are free.
 *
 * @param ports without an offset.
 */
export async function freePortOffset(ports: readonly number[]): Promise<number> {
  const first = Math.floor(Math.random() * STEPS);
  for (let step = 0; step < STEPS; step += 1) {
    const offset = STEP * (1 + ((first + step) % STEPS));
    const free = await Promise.all(ports.map((port) => isFree(port + offset)));
    if (free.every(Boolean)) return offset;
  }
  throw new Error('There are no free ports for another stack.');
}
