/** Lines in a chunk, at least and at most, as long as the log isn't read in real time. */
const [MIN_CHUNK_LINES, MAX_CHUNK_LINES] = [512, 1_536];
/** A chunk ends behind one of so many lines. */
const LINES_PER_BOUNDARY = 512;
/** Characters of a line that decide whether a chunk ends behind it: address, time and path. */
const HASHED_CHARACTERS = 128;

/** What a log's reader hands on. */
export type LogEvent =
  | { kind: 'lines'; lines: string[] }
  /** Nothing more for the moment: what has been read should be sent. */
  | { kind: 'pause' }
  /** The last line, which no line feed ends: it may be half a line. */
  | { kind: 'unfinished'; line: string }
  /** The log was rotated; what follows is the first line of a new one. */
  | { kind: 'restart' };

/** Consecutive lines of a log. */
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
 * Gathers lines into runs: chunks, and fewer lines at a pause, at the end and before an unfinished line. The lines themselves
 * decide where chunks end. So the same lines make the same chunks, and requests, in a log that was joined, cut or compressed.
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
          if (endsChunk(line, run.lines.length)) {
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

/** @param length of the chunk with this line, in lines. */
function endsChunk(line: string, length: number): boolean {
  if (length < MIN_CHUNK_LINES) return false;
  if (length >= MAX_CHUNK_LINES) return true;
  // FNV-1a.
  let hash = 0x811c9dc5;
  const end = Math.min(line.length, HASHED_CHARACTERS);
  for (let index = 0; index < end; index += 1) hash = Math.imul(hash ^ line.charCodeAt(index), 0x01000193);
  return (hash >>> 12) % LINES_PER_BOUNDARY === 0;
}
