import { Readable } from 'node:stream';
// oxlint-disable-next-line no-restricted-imports -- The only place that decompresses what others send.
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { ProblemError } from './problem.js';

export type Compression = 'gzip' | 'zlib' | 'zstd' | 'br';

/** Bytes written to a decoder, and read from it, at a time. The event loop runs in between. */
const PIECE_BYTES = 64 * 1024;
/**
 * Cost of creating a decoder, expressed in decoded bytes. Charged because a body can consist of many tiny compressed
 * parts.
 */
const DECODER_BYTES: Record<Compression, number> = {
  gzip: 32 * 1024,
  zlib: 32 * 1024,
  br: 32 * 1024,
  zstd: 128 * 1024,
};
/** Maximum zstd window: 8 MiB (RFC 9659). Node would allocate up to 16 times as much before decoding any data. */
const ZSTD_WINDOW_LOG = 23;

/** Budget of decoded bytes for all compressed parts of a request. */
export class DecodedBudget {
  private left: number;

  constructor(private readonly limit: number) {
    this.left = limit;
  }

  /** @throws ProblemError 413 once the request has decoded more than the limit. */
  charge(bytes: number): void {
    this.left -= bytes;
    if (this.left >= 0) return;
    throw new ProblemError('too-large', `The decoded body is larger than ${this.limit} bytes. Send less at a time.`);
  }
}

/** Thrown for bytes that can't be decompressed, for example because they are truncated or have a wrong checksum. */
export class DamagedError extends Error {
  override name = 'DamagedError';
}

/** Returns the compression detected from the first bytes, or null. */
export function compressionOf(bytes: Uint8Array): Exclude<Compression, 'br'> | null {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'gzip';
  if (bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd) return 'zstd';
  // Only the window size that all encoders use (RFC 1950, section 2.2). The header of a smaller one could be digits of
  // an IP address.
  return bytes[0] === 0x78 && [0x01, 0x5e, 0x9c, 0xda].includes(bytes[1]!) ? 'zlib' : null;
}

/**
 * Yields the decoded bytes in pieces of up to 64 KiB, between which the event loop runs. Decoded bytes are charged to
 * the budget even if the data turns out to be damaged.
 *
 * @throws ProblemError 413 if the budget is exceeded.
 * @throws DamagedError if the bytes can't be decompressed.
 */
export async function* decompressed(
  bytes: Uint8Array,
  compression: Compression,
  budget: DecodedBudget,
): AsyncGenerator<Buffer> {
  for (let rest = bytes; rest.length > 0;) {
    const decoder = decoderOf(compression);
    const covered = DECODER_BYTES[compression];
    budget.charge(covered);
    let decoded = 0;
    try {
      if (rest.length <= PIECE_BYTES) decoder.end(rest);
      else feed(rest, decoder);
      for await (const piece of decoder as AsyncIterable<Buffer>) {
        decoded += piece.length;
        // The cost charged for the decoder covers the first decoded bytes.
        budget.charge(Math.min(piece.length, Math.max(0, decoded - covered)));
        yield piece;
      }
    } catch (error) {
      if (error instanceof ProblemError) throw error;
      throw new DamagedError(`The bytes are not valid ${compression}.`, { cause: error });
    } finally {
      decoder.destroy();
    }
    // Node.js decodes all gzip members, but stops after the first zstd frame.
    if (compression !== 'zstd') return;
    rest = rest.subarray(decoder.bytesWritten);
    if (rest.length > 0 && compressionOf(rest) !== 'zstd')
      throw new DamagedError('A zstd frame is followed by others.');
  }
}

/** Like {@link decompressed}, but returns all bytes at once. */
export async function decompress(bytes: Uint8Array, compression: Compression, budget: DecodedBudget): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of decompressed(bytes, compression, budget)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Yields pieces of the bytes without copying them. */
export function* inPieces(bytes: Uint8Array): Generator<Buffer> {
  const { buffer, byteOffset, length } = bytes;
  for (let at = 0; at < length; at += PIECE_BYTES) {
    yield Buffer.from(buffer, byteOffset + at, Math.min(PIECE_BYTES, length - at));
  }
}

/** Writes large input in pieces. A decoder occupies a thread until it has consumed its input. */
function feed(bytes: Uint8Array, decoder: ReturnType<typeof decoderOf>): void {
  Readable.from(inPieces(bytes), { objectMode: false }).pipe(decoder);
}

function decoderOf(compression: Compression) {
  const options = { chunkSize: PIECE_BYTES };
  switch (compression) {
    case 'gzip':
      return createGunzip(options);
    case 'zlib':
      return createInflate(options);
    case 'br':
      return createBrotliDecompress(options);
    case 'zstd':
      return createZstdDecompress({ ...options, params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } });
  }
}
