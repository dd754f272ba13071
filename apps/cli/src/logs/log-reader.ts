import { open, stat, type FileHandle } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { LineSplitter, type LogEvent } from '#libs/access-log';
import { CliError, EXIT } from '../cli-error.js';
import { packingOf, unpacked } from './unpacked.js';

const BLOCK_BYTES = 64 * 1_024;
/** Interval at which a followed file is checked. Also the silence after which received lines are sent. */
const POLL_INTERVAL_MS = 500;
/**
 * Time without writes after which a renamed log is considered finished. Servers write to the old file until they reopen
 * their log.
 */
const ROTATION_GRACE_MS = 10_000;
/**
 * Number of bytes before the read position that are checked for changes. They change if the log was truncated and has
 * already grown past the position.
 */
const FINGERPRINT_BYTES = 256;
const NEVER = new AbortController().signal;

interface ReadOptions {
  signal: AbortSignal;
  /** Called with the number of bytes read from the file, before decompression. */
  onBytes?: (bytes: number) => void;
  poll?: number;
  /** Default: 10,000 ms. */
  rotationGrace?: number;
}

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
 * Reads a live stream, such as `tail -F … | …` or a web server's pipe. Emits `pause` after a moment of silence, so that
 * received lines are sent. After the signal aborts, reads the data that has already arrived, because it can't be read
 * again.
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
 * Reads a file, then the lines added to it, until the signal aborts. Starts over at line 1 if the file is truncated, or
 * if log rotation has replaced it and the renamed file is no longer written to.
 */
export async function* followFile(path: string, options: ReadOptions): AsyncGenerator<LogEvent> {
  let file = await open(path);
  try {
    let splitter = new LineSplitter(latin1);
    let position = 0;
    let before = Buffer.alloc(0);
    let quietSince = Date.now();
    const buffer = Buffer.alloc(FINGERPRINT_BYTES + BLOCK_BYTES);
    const restart = function* (): Generator<LogEvent> {
      const line = splitter.end();
      if (line !== undefined) yield { kind: 'unfinished', line };
      yield { kind: 'restart' };
      splitter = new LineSplitter(latin1);
      position = 0;
      before = Buffer.alloc(0);
    };
    while (!options.signal.aborted) {
      const read = await file.read(buffer, 0, before.length + BLOCK_BYTES, position - before.length);
      if (read.bytesRead < before.length || !before.equals(buffer.subarray(0, before.length))) {
        yield* restart();
        continue;
      }
      const bytesRead = read.bytesRead - before.length;
      const bytes = buffer.subarray(before.length, read.bytesRead);
      const packing = position === 0 ? packingOf(bytes) : null;
      if (packing !== null) {
        throw new CliError(`${path} is packed with ${packing}, which can't be followed`, { exitCode: EXIT.usage });
      }
      if (bytesRead > 0) {
        position += bytesRead;
        quietSince = Date.now();
        options.onBytes?.(bytesRead);
        const lines = splitter.push(bytes);
        before = Buffer.from(buffer.subarray(Math.max(0, read.bytesRead - FINGERPRINT_BYTES), read.bytesRead));
        yield { kind: 'lines', lines };
        continue;
      }
      yield { kind: 'pause' };
      const isQuiet = Date.now() - quietSince >= (options.rotationGrace ?? ROTATION_GRACE_MS);
      const successor = isQuiet ? await successorOf(file, path) : undefined;
      if (successor !== undefined) {
        yield* restart();
        await file.close();
        file = successor;
      } else
        await sleep(options.poll ?? POLL_INTERVAL_MS, undefined, { signal: options.signal }).catch(() => undefined);
    }
  } finally {
    await file.close();
  }
}

/** Opens the file that now has this path, if it's a different one. */
async function successorOf(file: FileHandle, path: string): Promise<FileHandle | undefined> {
  const own = await file.stat();
  const named = await stat(path).catch(() => undefined);
  if (named === undefined || (named.ino === own.ino && named.dev === own.dev)) return undefined;
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
