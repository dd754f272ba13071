import { measureStrain } from '../kit/event-loop.js';
import { MIB } from './bodies.js';

/** Maximum CPU time per event-loop tick in milliseconds. */
const MAX_STALL_MS = 250;
/** Number of attempts. Compilation or an unrelated garbage collection can distort a single measurement. */
const ATTEMPTS = 3;

/** Returns the maximum memory in bytes that a body may occupy, given the limit for decoded bytes. */
export const memoryLimit = (decodedBytes: number): number => 20 * MIB + 4 * decodedBytes;

/**
 * Sends a hostile request and expects that it neither blocks the event loop nor exhausts memory, and that the response
 * isn't a 500. Senders would retry it forever. A 503 response is allowed, because it makes them wait.
 *
 * @param name Describes the request in errors.
 * @returns Status of the last response.
 */
export async function expectWithstands(
  name: string,
  maxBytes: number,
  send: () => Promise<{ statusCode: number; payload: string }>,
): Promise<number> {
  let failure = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    let [status, text] = [0, ''];
    const { stallMs, bytes } = await measureStrain(async () => {
      const { statusCode, payload } = await send();
      [status, text] = [statusCode, payload.slice(0, 200)];
    }, maxBytes);
    failure = `${name}: ${status}, ${Math.round(stallMs)} ms, ${Math.round(bytes / MIB)} MiB\n${text}`;
    if (process.env['HOSTILE_LOG']) process.stderr.write(`HOSTILE ${failure.split('\n')[0]}\n`);
    if (status === 500) break;
    if (stallMs <= MAX_STALL_MS && bytes <= maxBytes) return status;
  }
  throw new Error(failure);
}
