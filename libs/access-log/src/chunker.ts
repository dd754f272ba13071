/** Chunk size limits in lines. Chunks can be smaller if a log is read in real time. */
const [MIN_CHUNK_LINES, MAX_CHUNK_LINES] = [512, 1_536];
/** Average number of lines before a line happens to end the chunk, once the chunk has reached its minimum size. */
const LINES_PER_BOUNDARY = 512;
/** Number of leading characters that decide whether a line ends a chunk. They usually include address, time and path. */
const HASHED_CHARACTERS = 128;

export type LogEvent =
  | { kind: 'lines'; lines: string[] }
  /** No more lines are available for now, so pending lines should be sent. */
  | { kind: 'pause' }
  /** Last line of a log that doesn't end in a line feed. It may be incomplete. */
  | { kind: 'unfinished'; line: string }
  /** The log was rotated. The next line is the first one in a new log. */
  | { kind: 'restart' };

export interface Run {
  /** Number of lines in the log before this run. */
  start: number;
  lines: string[];
  /** True if the run consists of a single last line without a line feed. */
  unfinished?: boolean;
  /** Number of file bytes read for this run, before decompression. Default: 0. */
  bytes?: number;
}

/**
 * Groups lines into runs. A run ends at a chunk boundary, at a pause, at the end of the log, or before an unfinished
 * line. Chunk boundaries only depend on the content of nearby lines. The same lines therefore produce the same chunks
 * and requests, even if logs were concatenated, truncated or compressed.
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
  // Lines read before a failure, such as a truncated gzip file, are still worth sending.
  if (run.lines.length > 0) yield run;
  if (failure) throw failure.error;
}

/** @param length Number of lines in the chunk, including this line. */
function endsChunk(line: string, length: number): boolean {
  if (length < MIN_CHUNK_LINES) return false;
  if (length >= MAX_CHUNK_LINES) return true;
  // FNV-1a hash.
  let hash = 0x811c9dc5;
  const end = Math.min(line.length, HASHED_CHARACTERS);
  for (let index = 0; index < end; index += 1) hash = Math.imul(hash ^ line.charCodeAt(index), 0x01000193);
  return (hash >>> 12) % LINES_PER_BOUNDARY === 0;
}
