import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
// oxlint-disable-next-line no-restricted-imports -- Streams local files, of any size.
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { isGzip } from '#libs/access-log';

/** Number of bytes needed to detect the compression. */
const START_BYTES = 4;
const TAR_MAGIC_OFFSET = 257;

type Packing = 'gzip' | 'zstd' | 'bzip2' | 'xz';

/** Detects the compression from the first bytes. Returns null if there is none. */
export function packingOf(start: Buffer): Packing | null {
  if (isGzip(start)) return 'gzip';
  // Magic number (RFC 8878).
  if (start.length >= START_BYTES && start.readUInt32LE(0) === 0xfd2fb528) return 'zstd';
  const text = start.toString('latin1', 0, START_BYTES);
  if (text === '\xfd7zX') return 'xz';
  return /^BZh[1-9]/.test(text) ? 'bzip2' : null;
}

/**
 * Decompresses gzip (all members), zstd, bzip2 and xz. Passes other data through.
 *
 * @throws if the file is damaged, if it's a tar or zip archive, if it has several zstd frames, or if the `bzip2` or
 * `xz` program isn't installed.
 */
export async function* unpacked(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const block of unpackedBytes(bytes)) {
    if (isFirst) refuseArchive(block);
    isFirst = false;
    yield block;
  }
}

function refuseArchive(start: Buffer): void {
  if (start.toString('latin1', TAR_MAGIC_OFFSET, TAR_MAGIC_OFFSET + 5) === 'ustar')
    throw new Error('a tar archive: run tar -xOf FILE | agent-traffic logs import -');
  if (start.toString('latin1', 0, 4) === 'PK\x03\x04')
    throw new Error('a zip archive: run unzip -p FILE | agent-traffic logs import -');
}

async function* unpackedBytes(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const source = bytes[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (start.length < START_BYTES) {
    const { done, value } = await source.next();
    if (done) break;
    start = Buffer.concat([start, value]);
  }
  const all = startingWith(start, source);
  const packing = packingOf(start);
  if (packing === null) {
    yield* all;
    return;
  }
  if (packing === 'bzip2' || packing === 'xz') {
    yield* unpackedByProgram(packing, all);
    return;
  }
  const reader = Readable.from(all, { objectMode: false });
  const unpacking = packing === 'gzip' ? createGunzip() : createZstdDecompress();
  let taken = 0;
  reader.on('data', (block: Buffer) => (taken += block.length));
  reader.on('error', (error) => unpacking.destroy(error));
  yield* reader.pipe(unpacking) as AsyncIterable<Buffer>;
  // Node.js stops at the first frame that ends in the middle of a chunk.
  if (packing === 'zstd' && unpacking.bytesWritten < taken) {
    throw new Error(
      'several zstd frames, of which only the first can be read: run zstdcat FILE | agent-traffic logs import -',
    );
  }
}

/** Runs an external program, because Node.js doesn't support these formats. */
async function* unpackedByProgram(program: 'bzip2' | 'xz', bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const child = spawn(program, ['-dc'], { stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said += String(text)));
  const closed = new Promise<void>((resolve, reject) => {
    child.on('error', () =>
      reject(new Error(`packed with ${program}: install the program ${program}, which unpacks it`)),
    );
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`${program} stopped: ${said.trim()}`))));
  });
  const sent = pipeline(bytes, child.stdin);
  // If the program or the input fails, end the loop below. The catch block chooses the error to throw.
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

async function* startingWith(start: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    if (start.length > 0) yield start;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
