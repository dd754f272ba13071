import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
// oxlint-disable-next-line no-restricted-imports -- Streams local files, of any size.
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { isGzip } from '#libs/access-log';

/** Number of bytes needed to detect the compression format. */
const MAGIC_BYTES = 4;
const TAR_MAGIC_OFFSET = 257;

type Compression = 'gzip' | 'zstd' | 'bzip2' | 'xz';

/** Detects the compression format from the first bytes. Returns null for uncompressed data. */
export function detectCompression(start: Buffer): Compression | null {
  if (isGzip(start)) return 'gzip';
  // Magic number (RFC 8878).
  if (start.length >= MAGIC_BYTES && start.readUInt32LE(0) === 0xfd2fb528) return 'zstd';
  const text = start.toString('latin1', 0, MAGIC_BYTES);
  if (text === '\xfd7zX') return 'xz';
  return /^BZh[1-9]/.test(text) ? 'bzip2' : null;
}

/**
 * Decompresses gzip (all members), zstd (one frame), bzip2 and xz. Passes other data through.
 *
 * @throws if the data is damaged, is a tar or zip archive, or contains several zstd frames, or if the `bzip2` or `xz`
 * program isn't installed.
 */
export async function* decompress(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const block of decompressBytes(bytes)) {
    if (isFirst) rejectArchive(block);
    isFirst = false;
    yield block;
  }
}

function rejectArchive(start: Buffer): void {
  if (start.toString('latin1', TAR_MAGIC_OFFSET, TAR_MAGIC_OFFSET + 5) === 'ustar')
    throw new Error("a tar archive can't be imported directly. Run: tar -xOf FILE | agent-traffic logs import -");
  if (start.toString('latin1', 0, 4) === 'PK\x03\x04')
    throw new Error("a zip archive can't be imported directly. Run: unzip -p FILE | agent-traffic logs import -");
}

async function* decompressBytes(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const source = bytes[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (start.length < MAGIC_BYTES) {
    const { done, value } = await source.next();
    if (done) break;
    start = Buffer.concat([start, value]);
  }
  const all = prependStart(start, source);
  const compression = detectCompression(start);
  if (compression === null) {
    yield* all;
    return;
  }
  if (compression === 'bzip2' || compression === 'xz') {
    yield* decompressWithProgram(compression, all);
    return;
  }
  const reader = Readable.from(all, { objectMode: false });
  const decompressor = compression === 'gzip' ? createGunzip() : createZstdDecompress();
  let bytesRead = 0;
  reader.on('data', (block: Buffer) => (bytesRead += block.length));
  reader.on('error', (error) => decompressor.destroy(error));
  yield* reader.pipe(decompressor) as AsyncIterable<Buffer>;
  // If a zstd frame ends in the middle of a chunk, Node.js stops there and ignores the frames that follow.
  if (compression === 'zstd' && decompressor.bytesWritten < bytesRead) {
    throw new Error(
      'only the first of several zstd frames can be read. Run: zstdcat FILE | agent-traffic logs import -',
    );
  }
}

/** Runs an external program, because Node.js doesn't support these formats. */
async function* decompressWithProgram(program: 'bzip2' | 'xz', bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const child = spawn(program, ['-dc'], { stdio: ['pipe', 'pipe', 'pipe'] });
  let stderrText = '';
  child.stderr.on('data', (text: Buffer) => (stderrText += String(text)));
  const closed = new Promise<void>((resolve, reject) => {
    child.on('error', () =>
      reject(new Error(`the log is compressed with ${program}: install the ${program} program and try again`)),
    );
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${program} failed: ${stderrText.trim()}`)),
    );
  });
  const sent = pipeline(bytes, child.stdin);
  // If the program or its input fails, stop reading the output. The error is thrown from the catch block below.
  for (const promise of [closed, sent]) promise.catch(() => child.stdout.destroy());
  try {
    yield* child.stdout as AsyncIterable<Buffer>;
    await Promise.all([closed, sent]);
  } catch (error) {
    const [end] = await Promise.allSettled([closed]);
    throw end.status === 'rejected' ? end.reason : error;
  } finally {
    child.kill();
  }
}

async function* prependStart(start: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    if (start.length > 0) yield start;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
