import { Readable } from 'node:stream';
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
 * Unpacks gzip and zstd; anything else passes as it is. Members of gzip that were put behind one another are all read.
 *
 * @throws for what Node.js can't read: bzip2, and zstd behind its first frame.
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
    await source.return?.();
    throw new Error(`packed with bzip2, which can't be read: ${unpackedBy('bzcat')}`);
  }
  const reader = Readable.from(all, { objectMode: false });
  const unpacking = packing === 'gzip' ? createGunzip() : createZstdDecompress();
  let taken = 0;
  reader.on('data', (block: Buffer) => (taken += block.length));
  reader.on('error', (error) => unpacking.destroy(error));
  yield* reader.pipe(unpacking) as AsyncIterable<Buffer>;
  // Node.js ends at the first frame that ends within a block.
  if (packing === 'zstd' && unpacking.bytesWritten < taken) {
    throw new Error(`several zstd frames, of which only the first can be read: ${unpackedBy('zstdcat')}`);
  }
}

const unpackedBy = (program: string): string => `run ${program} FILE | agent-traffic logs import -`;

async function* startingWith(start: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    if (start.length > 0) yield start;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
