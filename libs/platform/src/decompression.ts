import { Readable } from 'node:stream';
// oxlint-disable-next-line no-restricted-imports -- Only this module decompresses untrusted data.
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { ProblemError } from './problem.js';

export type Compression = 'gzip' | 'zlib' | 'zstd' | 'br';

/** Bytes written to or read from a decoder at a time. The event loop runs between chunks. */
const CHUNK_BYTES = 64 * 1024;
/**
 * Cost of creating a decoder, in decoded bytes. It is charged because a body can contain many tiny compressed parts.
 */
const DECODER_COST_BYTES: Record<Compression, number> = {
  gzip: 32 * 1024,
  zlib: 32 * 1024,
  br: 32 * 1024,
  zstd: 128 * 1024,
};
/**
 * Maximum zstd window of 8 MiB (RFC 9659). Node.js would otherwise allocate up to 16 times as much before decoding
 * anything.
 */
const ZSTD_WINDOW_LOG = 23;

/** Shared budget of decoded bytes for all compressed parts of a request. */
export class DecodedBudget {
  private remainingBytes: number;

  constructor(private readonly limitBytes: number) {
    this.remainingBytes = limitBytes;
  }

  /** @throws {ProblemError} 413 once the request has decoded more bytes than the limit. */
  charge(bytes: number): void {
    this.remainingBytes -= bytes;
    if (this.remainingBytes >= 0) return;
    throw new ProblemError(
      'too-large',
      `The decoded body is larger than ${this.limitBytes} bytes. Split it into several requests.`,
    );
  }
}

/** Thrown if data can't be decompressed, e.g. because it is truncated or its checksum is wrong. */
export class CorruptDataError extends Error {
  override name = 'CorruptDataError';
}

/** Returns the compression detected from the first bytes, or null if there is none. */
export function detectCompression(bytes: Uint8Array): Exclude<Compression, 'br'> | null {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'gzip';
  if (bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd) return 'zstd';
  // Accept only the window size that all encoders use (RFC 1950, section 2.2). Headers with a smaller window could be
  // the first digits of an IP address.
  return bytes[0] === 0x78 && [0x01, 0x5e, 0x9c, 0xda].includes(bytes[1]!) ? 'zlib' : null;
}

/**
 * Yields decoded chunks of up to 64 KiB and lets the event loop run between them. Charges the budget even if the data
 * turns out to be damaged.
 *
 * @throws {ProblemError} 413 if the budget is exceeded.
 * @throws {CorruptDataError} if the data can't be decompressed.
 */
export async function* decompressChunks(
  bytes: Uint8Array,
  compression: Compression,
  budget: DecodedBudget,
): AsyncGenerator<Buffer> {
  for (let remaining = bytes; remaining.length > 0;) {
    const decoder = createDecoder(compression);
    const decoderCost = DECODER_COST_BYTES[compression];
    budget.charge(decoderCost);
    let decoded = 0;
    try {
      if (remaining.length <= CHUNK_BYTES) decoder.end(remaining);
      else writeInChunks(remaining, decoder);
      for await (const chunk of decoder as AsyncIterable<Buffer>) {
        decoded += chunk.length;
        // The decoder's cost already covers the first decoded bytes.
        budget.charge(Math.min(chunk.length, Math.max(0, decoded - decoderCost)));
        yield chunk;
      }
    } catch (error) {
      if (error instanceof ProblemError) throw error;
      throw new CorruptDataError(`The data isn't valid ${compression}.`, { cause: error });
    } finally {
      decoder.destroy();
    }
    // Node.js decodes all gzip members but stops after the first zstd frame.
    if (compression !== 'zstd') return;
    remaining = remaining.subarray(decoder.bytesWritten);
    if (remaining.length > 0 && detectCompression(remaining) !== 'zstd')
      throw new CorruptDataError('A zstd frame is followed by other data.');
  }
}

/** Like {@link decompressChunks}, but returns all bytes at once. */
export async function decompress(bytes: Uint8Array, compression: Compression, budget: DecodedBudget): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of decompressChunks(bytes, compression, budget)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Yields chunks as views of the bytes, without copying them. */
export function* splitIntoChunks(bytes: Uint8Array): Generator<Buffer> {
  const { buffer, byteOffset, length } = bytes;
  for (let at = 0; at < length; at += CHUNK_BYTES) {
    yield Buffer.from(buffer, byteOffset + at, Math.min(CHUNK_BYTES, length - at));
  }
}

/** Writes the input in chunks because a decoder occupies a thread until it has consumed its input. */
function writeInChunks(bytes: Uint8Array, decoder: ReturnType<typeof createDecoder>): void {
  Readable.from(splitIntoChunks(bytes), { objectMode: false }).pipe(decoder);
}

function createDecoder(compression: Compression) {
  const options = { chunkSize: CHUNK_BYTES };
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
