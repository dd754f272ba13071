import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { latin1Bytes } from './quoted-field.js';

/** Lines in a chunk; chunks start at every multiple of this. A power of two. */
export const CHUNK_LINES = 1_024;

/** What a log's reader hands on. */
export type LogEvent =
  | { kind: 'lines'; lines: string[] }
  /** Nothing more for the moment: what has been read should be sent. */
  | { kind: 'pause' }
  /** The last line, which no line feed ends: it may be half a line. */
  | { kind: 'unfinished'; line: string }
  /** The log was rotated; what follows is the first line of a new one. */
  | { kind: 'restart' };

/** Consecutive lines of a log, all within one chunk. */
export interface Run {
  /** Lines before the first one of this run. */
  start: number;
  lines: string[];
  /** The only line is the log's end, which no line feed ends. */
  unfinished?: boolean;
  /** Bytes that were read of the file for it, packed where it is packed; 0 unless given. */
  bytes?: number;
}

/**
 * Gathers lines into runs: whole chunks, and fewer lines at a pause, at the end and before an unfinished line
 * (which is always on its own, so that nothing else is sent with what may change).
 */
export async function* chunkLines(events: AsyncIterable<LogEvent>): AsyncGenerator<Run> {
  let run: Run = { start: 0, lines: [] };
  const next = (): Run => ({ start: run.start + run.lines.length, lines: [] });
  let failure: { error: unknown } | undefined;
  try {
    for await (const event of events) {
      if (event.kind === 'lines') {
        for (const line of event.lines) {
          run.lines.push(line);
          if ((run.start + run.lines.length) % CHUNK_LINES === 0) {
            yield run;
            run = next();
          }
        }
        continue;
      }
      if (run.lines.length > 0) yield run;
      run = event.kind === 'restart' ? { start: 0, lines: [] } : next();
      if (event.kind === 'unfinished') run = { ...run, lines: [event.line], unfinished: true };
    }
  } catch (error) {
    failure = { error };
  }
  // What was read before a failure (a gzip file cut short) is still worth sending.
  if (run.lines.length > 0) yield run;
  if (failure) throw failure.error;
}

/**
 * Sizes that a block starting at line `start` can have, largest first: the powers of two that `start` is a
 * multiple of, up to what is there. So blocks never cross the bounds of larger ones.
 */
export function blockSizes(start: number, available: number): number[] {
  const sizes: number[] = [];
  for (let size = CHUNK_LINES; size >= 1; size /= 2) {
    if (size <= available && start % size === 0) sizes.push(size);
  }
  return sizes;
}

/**
 * Idempotency key of a block: from the number and the bytes of its first line, and not from its size. See the
 * importer for why.
 */
export function blockKey(start: number, firstLine: string): string {
  // Not WebCrypto's: browsers have that on secure origins only.
  const hash = sha256
    .create()
    .update(utf8ToBytes(`log line ${start + 1}\n`))
    .update(latin1Bytes(firstLine));
  return `log-${bytesToHex(hash.digest())}`;
}
