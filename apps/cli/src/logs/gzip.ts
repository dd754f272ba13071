import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { isGzip } from '#libs/access-log';

/**
 * Unpacks gzip, told by the content's first two bytes (RFC 1952) and not by a name; anything else passes as it is.
 * Members that were put behind one another are all read.
 */
export async function* unpacked(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const source = bytes[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (start.length < 2) {
    const { done, value } = await source.next();
    if (done) break;
    start = Buffer.concat([start, value]);
  }
  const all = startingWith(start, source);
  if (!isGzip(start)) {
    yield* all;
    return;
  }
  const reader = Readable.from(all, { objectMode: false });
  const gunzip = createGunzip();
  reader.on('error', (error) => gunzip.destroy(error));
  yield* reader.pipe(gunzip) as AsyncIterable<Buffer>;
}

async function* startingWith(start: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    if (start.length > 0) yield start;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
