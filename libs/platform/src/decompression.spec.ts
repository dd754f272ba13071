import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import {
  detectCompression,
  CorruptDataError,
  DecodedBudget,
  decompress,
  decompressChunks,
  type Compression,
} from './decompression.js';

const MIB = 2 ** 20;
const COMPRESSORS: Record<Compression, (bytes: Buffer) => Buffer> = {
  gzip: gzipSync,
  zlib: deflateSync,
  zstd: zstdCompressSync,
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } }),
};
const COMPRESSIONS = Object.keys(COMPRESSORS) as Compression[];
const createBudget = (bytes: number) => new DecodedBudget(bytes);
/** Returns incompressible bytes, so their compressed form also spans several chunks. */
const createNoise = (bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  for (let at = 0, state = 1; at < bytes; at += 1) buffer[at] = state = (state * 48_271) % 0x7fffffff;
  return buffer;
};
const tooLarge = expect.objectContaining({ statusCode: 413 });

describe.each(COMPRESSIONS)('decompression of %s', (compression) => {
  const compress = COMPRESSORS[compression];

  it('decompresses data to the original bytes', async () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('a'), createNoise(300_000), Buffer.alloc(MIB, 'x')]) {
      expect((await decompress(compress(bytes), compression, createBudget(MIB))).equals(bytes)).toBe(true);
    }
  });

  it('stops with an error once the decoded size exceeds the budget', async () => {
    const chunkSizes: number[] = [];
    const read = async () => {
      for await (const { length } of decompressChunks(
        compress(Buffer.alloc(20 * MIB)),
        compression,
        createBudget(MIB),
      )) {
        chunkSizes.push(length);
      }
    };
    await expect(read()).rejects.toEqual(tooLarge);
    expect(chunkSizes.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(MIB);
    expect(Math.max(...chunkSizes)).toBeLessThanOrEqual(64 * 1024);
  });

  it('charges the budget even for damaged data', async () => {
    const budget = createBudget(MIB);
    const compressedBytes = compress(createNoise(700_000));
    const damaged = compressedBytes.subarray(0, compressedBytes.length - 5);
    await expect(decompress(damaged, compression, budget)).rejects.toThrow(CorruptDataError);
    await expect(decompress(damaged, compression, budget)).rejects.toEqual(tooLarge);
  });

  it('yields to the event loop between chunks', async () => {
    let eventLoopTicks = 0;
    let isDone = false;
    const countTick = (): void => {
      eventLoopTicks += 1;
      if (!isDone) setImmediate(countTick);
    };
    setImmediate(countTick);
    await decompress(compress(Buffer.alloc(8 * MIB)), compression, createBudget(8 * MIB));
    isDone = true;
    expect(eventLoopTicks).toBeGreaterThanOrEqual((8 * MIB) / (64 * 1024));
  });
});

it.each([
  ['gzip', gzipSync],
  ['zstd', zstdCompressSync],
] as const)('decompress decodes multiple %s members or frames', async (compression, compress) => {
  const parts = [createNoise(150_000), Buffer.from('b'), createNoise(100_000)];
  const compressedBytes = Buffer.concat(parts.map((part) => compress(part)));
  expect((await decompress(compressedBytes, compression, createBudget(MIB))).equals(Buffer.concat(parts))).toBe(true);
});

it('decompress charges the budget for each decoder, so it rejects a body full of empty frames', async () => {
  const frames = Buffer.concat(Array<Buffer>(1_000).fill(zstdCompressSync('')));
  await expect(decompress(frames, 'zstd', createBudget(MIB))).rejects.toEqual(tooLarge);
});

it('decompress rejects a zstd window over 8 MiB', async () => {
  const compressedBytes = (windowLog: number) =>
    zstdCompressSync(Buffer.alloc(10 * MIB), {
      params: { [constants.ZSTD_c_windowLog]: windowLog, [constants.ZSTD_c_contentSizeFlag]: 0 },
    });
  await expect(decompress(compressedBytes(23), 'zstd', createBudget(10 * MIB))).resolves.toHaveLength(10 * MIB);
  await expect(decompress(compressedBytes(27), 'zstd', createBudget(10 * MIB))).rejects.toThrow(CorruptDataError);
});

it('detectCompression detects the compression from the first bytes', () => {
  const detected = COMPRESSIONS.map((compression) => detectCompression(COMPRESSORS[compression](Buffer.from('abc'))));
  expect(detected).toEqual(['gzip', 'zlib', 'zstd', null]);
  expect([Buffer.alloc(0), Buffer.from('80.1.2.3'), Buffer.from('{}')].map(detectCompression)).toEqual([
    null,
    null,
    null,
  ]);
});
