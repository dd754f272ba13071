import { open, stat, type FileHandle } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { LineSplitter, type LogEvent } from '#libs/access-log';
import { CliError, EXIT } from '../cli-error.js';
import { detectCompression, decompress } from './decompress.js';

const BLOCK_BYTES = 64 * 1_024;
/** Interval at which a followed file is polled, and the idle time after which received lines are sent. */
const POLL_INTERVAL_MS = 500;
/**
 * Time without writes after which a renamed log is considered complete. Servers continue to write to it until they
 * reopen their log.
 */
const ROTATION_GRACE_MS = 10_000;
/**
 * Number of bytes before the read position to compare on each read. If they have changed, the log was truncated and has
 * since grown past the read position.
 */
const FINGERPRINT_BYTES = 256;
const NEVER_ABORTED = new AbortController().signal;

interface ReadOptions {
  signal: AbortSignal;
  /** Called with the number of bytes read from the file, before decompression. */
  onBytes?: (bytes: number) => void;
  pollIntervalMs?: number;
  /** Time in milliseconds without writes after which a renamed log is considered complete. Default: 10,000. */
  rotationGraceMs?: number;
}

export async function* readLog(bytes: AsyncIterable<Buffer>, options: ReadOptions): AsyncGenerator<LogEvent> {
  const splitter = new LineSplitter(latin1);
  for await (const block of decompress(countBytes(bytes, options))) {
    if (options.signal.aborted) return;
    yield { kind: 'lines', lines: splitter.push(block) };
  }
  const line = splitter.end();
  if (line !== undefined) yield { kind: 'unfinished', line };
}

/**
 * Reads a live stream, such as `tail -F … | …` or a web server's pipe. Emits `pause` when the stream is idle, so received
 * lines can be sent. After the signal aborts, reads the data that has already arrived, because it can't be read again.
 */
export async function* readLive(bytes: AsyncIterable<Buffer>, options: ReadOptions): AsyncGenerator<LogEvent> {
  const splitter = new LineSplitter(latin1);
  const source = decompress(countBytes(bytes, { ...options, signal: NEVER_ABORTED }));
  let next = source.next();
  for (;;) {
    const isEnding = options.signal.aborted;
    const silence = sleep(
      options.pollIntervalMs ?? POLL_INTERVAL_MS,
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
 * Reads a file, then lines appended to it, until the signal aborts. Restarts at line 1 if the file is truncated, or if
 * log rotation has replaced it and the renamed file is no longer written to.
 */
export async function* followFile(path: string, options: ReadOptions): AsyncGenerator<LogEvent> {
  let file = await open(path);
  try {
    let splitter = new LineSplitter(latin1);
    let position = 0;
    let fingerprint = Buffer.alloc(0);
    let idleSince = Date.now();
    const buffer = Buffer.alloc(FINGERPRINT_BYTES + BLOCK_BYTES);
    const restart = function* (): Generator<LogEvent> {
      const line = splitter.end();
      if (line !== undefined) yield { kind: 'unfinished', line };
      yield { kind: 'restart' };
      splitter = new LineSplitter(latin1);
      position = 0;
      fingerprint = Buffer.alloc(0);
    };
    while (!options.signal.aborted) {
      const read = await file.read(buffer, 0, fingerprint.length + BLOCK_BYTES, position - fingerprint.length);
      if (read.bytesRead < fingerprint.length || !fingerprint.equals(buffer.subarray(0, fingerprint.length))) {
        yield* restart();
        continue;
      }
      const bytesRead = read.bytesRead - fingerprint.length;
      const bytes = buffer.subarray(fingerprint.length, read.bytesRead);
      const compression = position === 0 ? detectCompression(bytes) : null;
      if (compression !== null) {
        throw new CliError(`${path} is compressed with ${compression}, so it can't be followed`, {
          exitCode: EXIT.usage,
        });
      }
      if (bytesRead > 0) {
        position += bytesRead;
        idleSince = Date.now();
        options.onBytes?.(bytesRead);
        const lines = splitter.push(bytes);
        fingerprint = Buffer.from(buffer.subarray(Math.max(0, read.bytesRead - FINGERPRINT_BYTES), read.bytesRead));
        yield { kind: 'lines', lines };
        continue;
      }
      yield { kind: 'pause' };
      const isIdle = Date.now() - idleSince >= (options.rotationGraceMs ?? ROTATION_GRACE_MS);
      const successor = isIdle ? await openSuccessor(file, path) : undefined;
      if (successor !== undefined) {
        yield* restart();
        await file.close();
        file = successor;
      } else
        await sleep(options.pollIntervalMs ?? POLL_INTERVAL_MS, undefined, { signal: options.signal }).catch(
          () => undefined,
        );
    }
  } finally {
    await file.close();
  }
}

/** Opens the file at this path if it has been replaced by a different file. */
async function openSuccessor(file: FileHandle, path: string): Promise<FileHandle | undefined> {
  const fileStats = await file.stat();
  const pathStats = await stat(path).catch(() => undefined);
  if (pathStats === undefined || (pathStats.ino === fileStats.ino && pathStats.dev === fileStats.dev)) return undefined;
  return open(path).catch(() => undefined);
}

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

async function* countBytes(bytes: AsyncIterable<Buffer>, { onBytes, signal }: ReadOptions): AsyncGenerator<Buffer> {
  for await (const block of bytes) {
    if (signal.aborted) return;
    onBytes?.(block.length);
    yield block;
  }
}
