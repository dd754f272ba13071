import { open, stat, type FileHandle } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { LineSplitter, type LogEvent } from '#libs/access-log';
import { CliError, EXIT } from '../cli-error.js';
import { packingOf, unpacked } from './unpacked.js';

/** Bytes read at once. */
const BLOCK_BYTES = 64 * 1_024;
/** Milliseconds between looks at a file that is followed, and of silence before what is there is sent. */
const POLL_INTERVAL_MS = 500;
const NEVER = new AbortController().signal;

export interface ReadOptions {
  signal: AbortSignal;
  /** Called with the number of bytes taken from the file (packed, where it is packed). */
  onBytes?: (bytes: number) => void;
  poll?: number;
}

/** Reads a log to its end. */
export async function* readLog(bytes: AsyncIterable<Buffer>, options: ReadOptions): AsyncGenerator<LogEvent> {
  const splitter = new LineSplitter(latin1);
  for await (const block of unpacked(counted(bytes, options))) {
    if (options.signal.aborted) return;
    yield { kind: 'lines', lines: splitter.push(block) };
  }
  const line = splitter.end();
  if (line !== undefined) yield { kind: 'unfinished', line };
}

/**
 * Reads a stream that goes on (`tail -F … | …`, a web server's pipe), sending what is there whenever nothing came for a
 * moment. After the signal it reads what is there already: nobody can be asked for it again.
 */
export async function* readLive(bytes: AsyncIterable<Buffer>, options: ReadOptions): AsyncGenerator<LogEvent> {
  const splitter = new LineSplitter(latin1);
  const source = unpacked(counted(bytes, { ...options, signal: NEVER }));
  let next = source.next();
  for (;;) {
    const isEnding = options.signal.aborted;
    const silence = sleep(
      options.poll ?? POLL_INTERVAL_MS,
      'silent' as const,
      isEnding ? {} : { signal: options.signal },
    ).catch(() => 'silent' as const);
    const result = await Promise.race([next, silence]);
    if (result === 'silent' && isEnding) break;
    if (result === 'silent') yield { kind: 'pause' };
    else if (result.done) break;
    else {
      yield { kind: 'lines', lines: splitter.push(result.value) };
      next = source.next();
    }
  }
  const line = splitter.end();
  if (line !== undefined && !options.signal.aborted) yield { kind: 'unfinished', line };
}

/**
 * Reads a file to its end and then what is added, until the signal. When another file takes the name, or the file
 * is emptied, as log rotation does, goes on with line 1 of the new one.
 */
export async function* followFile(path: string, options: ReadOptions): AsyncGenerator<LogEvent> {
  let file = await open(path);
  try {
    let splitter = new LineSplitter(latin1);
    let position = 0;
    const buffer = Buffer.alloc(BLOCK_BYTES);
    while (!options.signal.aborted) {
      const { bytesRead } = await file.read(buffer, 0, BLOCK_BYTES, position);
      const packing = position === 0 ? packingOf(buffer.subarray(0, bytesRead)) : null;
      if (packing !== null) {
        throw new CliError(`${path} is packed with ${packing}, which can't be followed`, { exitCode: EXIT.usage });
      }
      if (bytesRead > 0) {
        position += bytesRead;
        options.onBytes?.(bytesRead);
        yield { kind: 'lines', lines: splitter.push(buffer.subarray(0, bytesRead)) };
        continue;
      }
      yield { kind: 'pause' };
      const successor = await rotated(file, path, position);
      if (successor !== undefined) {
        const line = splitter.end();
        if (line !== undefined) yield { kind: 'unfinished', line };
        yield { kind: 'restart' };
        if (successor !== file) await file.close();
        file = successor;
        splitter = new LineSplitter(latin1);
        position = 0;
      } else
        await sleep(options.poll ?? POLL_INTERVAL_MS, undefined, { signal: options.signal }).catch(() => undefined);
    }
  } finally {
    await file.close();
  }
}

/** The file to go on with from its start, when the one that is read to `position` was replaced or emptied. */
async function rotated(file: FileHandle, path: string, position: number): Promise<FileHandle | undefined> {
  const own = await file.stat();
  if (own.size < position) return file;
  const named = await stat(path).catch(() => undefined);
  if (named === undefined || (named.ino === own.ino && named.dev === own.dev) || own.size > position) return undefined;
  return open(path).catch(() => undefined);
}

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

async function* counted(bytes: AsyncIterable<Buffer>, { onBytes, signal }: ReadOptions): AsyncGenerator<Buffer> {
  for await (const block of bytes) {
    if (signal.aborted) return;
    onBytes?.(block.length);
    yield block;
  }
}
