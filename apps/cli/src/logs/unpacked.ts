import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
// oxlint-disable-next-line no-restricted-imports -- Streams local files, of any size.
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { isGzip } from '#libs/access-log';

/** Bytes that tell how a file is packed. */
const START_BYTES = 4;

type Packing = 'gzip' | 'zstd' | 'bzip2';

/** Returns how bytes are packed, told by how they start and not by a name; null when they are not. */
export function packingOf(start: Buffer): Packing | null {
  if (isGzip(start)) return 'gzip';
  // RFC 8878.
  if (start.length >= START_BYTES && start.readUInt32LE(0) === 0xfd2fb528) return 'zstd';
  return /^BZh[1-9]/.test(start.toString('latin1', 0, START_BYTES)) ? 'bzip2' : null;
}

/**
 * Unpacks gzip, zstd and bzip2; anything else passes as it is. Members of gzip that were put behind one another are all read.
 *
 * @throws for what is damaged, for zstd behind its first frame, and for bzip2 on a machine without that program.
 */
export async function* unpacked(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
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
  if (packing === 'bzip2') {
    yield* unpackedByBzip2(all);
    return;
  }
  const reader = Readable.from(all, { objectMode: false });
  const unpacking = packing === 'gzip' ? createGunzip() : createZstdDecompress();
  let taken = 0;
  reader.on('data', (block: Buffer) => (taken += block.length));
  reader.on('error', (error) => unpacking.destroy(error));
  yield* reader.pipe(unpacking) as AsyncIterable<Buffer>;
  // Node.js ends at the first frame that ends within a block.
  if (packing === 'zstd' && unpacking.bytesWritten < taken) {
    throw new Error(
      'several zstd frames, of which only the first can be read: run zstdcat FILE | agent-traffic logs import -',
    );
  }
}

/** Node.js can't; the program is on nearly every machine that has such files. */
async function* unpackedByBzip2(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const child = spawn('bzip2', ['-dc'], { stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said += String(text)));
  const closed = new Promise<void>((resolve, reject) => {
    child.on('error', () => reject(new Error('packed with bzip2: install the program bzip2, which unpacks it')));
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`bzip2 stopped: ${said.trim()}`))));
  });
  const sent = pipeline(bytes, child.stdin);
  // What a program that stopped didn't take; the source's own failure is told below.
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
