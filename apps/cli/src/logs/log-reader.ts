import { open, stat, type FileHandle } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { LineSplitter, type LogEvent } from '#libs/access-log';
import { CliError, EXIT } from '../cli-error.js';
import { packingOf, unpacked } from './unpacked.js';

/** Bytes read at once. */
const BLOCK_BYTES = 64 * 1_024;
/** Milliseconds between looks at a file that is followed, and of silence before what is there is sent. */
const POLL_INTERVAL_MS = 500;
/** Milliseconds for which a renamed log must be quiet: until it's told to reopen its log, a server writes to the old one. */
const ROTATION_GRACE_MS = 10_000;
/** Bytes before the position of a followed log. If they change, the log was emptied and has grown past the position since. */
const FINGERPRINT_BYTES = 256;
const NEVER = new AbortController().signal;

interface ReadOptions {
  signal: AbortSignal;
  /** Called with the number of bytes taken from the file (packed, where it is packed). */
  onBytes?: (bytes: number) => void;
  poll?: number;
  /** Milliseconds. Default: 10,000. */
  rotationGrace?: number;
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
 * Reads a file to its end and then what is added, until the signal. When the file is emptied, or another file has its name and
 * nothing is written to the renamed one anymore, as in log rotation, continues with line 1 of the new one.
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

/** Opens the file that has the name now, if it's another one. */
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
