import { measureCostMs } from '../kit/cost.js';
import { measureStrain } from '../kit/event-loop.js';
import { MIB } from './bodies.js';

/** CPU time per event-loop tick in milliseconds that is always allowed. */
const SMALL_STALL_MS = 150;
/** Maximum CPU time per event-loop tick, as a multiple of {@link copyReference}. About 250 ms on an idle machine. */
const MAX_STALL_RATIO = 5;
/** Number of attempts. Compilation or an unrelated garbage collection can distort a single measurement. */
const ATTEMPTS = 3;

const REFERENCE = Array.from({ length: 100_000 }, (_, index) => ({ index, name: `name ${index}`, values: [index] }));
/** Serializes and parses JSON. Its cost reflects the machine's speed and load. */
const copyReference = (): unknown => JSON.parse(JSON.stringify(REFERENCE));

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
    const isShort = stallMs <= SMALL_STALL_MS || stallMs <= MAX_STALL_RATIO * (await measureCostMs(copyReference));
    if (isShort && bytes <= maxBytes) return status;
  }
  throw new Error(failure);
}
