import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import {
  compressionOf,
  DamagedError,
  DecodedBudget,
  decompress,
  decompressed,
  type Compression,
} from './decompression.js';

const MIB = 2 ** 20;
const PACKERS: Record<Compression, (bytes: Buffer) => Buffer> = {
  gzip: gzipSync,
  zlib: deflateSync,
  zstd: zstdCompressSync,
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } }),
};
const COMPRESSIONS = Object.keys(PACKERS) as Compression[];
const budgetOf = (bytes: number) => new DecodedBudget(bytes);
/** Returns bytes that don't compress, so the compressed form spans several chunks, too. */
const noise = (bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  for (let at = 0, state = 1; at < bytes; at += 1) buffer[at] = state = (state * 48_271) % 0x7fffffff;
  return buffer;
};
const tooLarge = expect.objectContaining({ statusCode: 413 });

describe.each(COMPRESSIONS)('%s', (compression) => {
  const pack = PACKERS[compression];

  it('is decoded', async () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('a'), noise(300_000), Buffer.alloc(MIB, 'x')]) {
      expect((await decompress(pack(bytes), compression, budgetOf(MIB))).equals(bytes)).toBe(true);
    }
  });

  it('is rejected once its decoded size exceeds the budget', async () => {
    const pieces: number[] = [];
    const read = async () => {
      for await (const { length } of decompressed(pack(Buffer.alloc(20 * MIB)), compression, budgetOf(MIB))) {
        pieces.push(length);
      }
    };
    await expect(read()).rejects.toEqual(tooLarge);
    expect(pieces.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(MIB);
    expect(Math.max(...pieces)).toBeLessThanOrEqual(64 * 1024);
  });

  it('is charged to the budget even if it turns out to be damaged', async () => {
    const budget = budgetOf(MIB);
    const packed = pack(noise(700_000));
    const damaged = packed.subarray(0, packed.length - 5);
    await expect(decompress(damaged, compression, budget)).rejects.toThrow(DamagedError);
    await expect(decompress(damaged, compression, budget)).rejects.toEqual(tooLarge);
  });

  it('yields to the event loop between chunks', async () => {
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await decompress(pack(Buffer.alloc(8 * MIB)), compression, budgetOf(8 * MIB));
    isDone = true;
    expect(turns).toBeGreaterThanOrEqual((8 * MIB) / (64 * 1024));
  });
});

it.each([
  ['gzip', gzipSync],
  ['zstd', zstdCompressSync],
] as const)('decodes several members or frames of %s', async (compression, pack) => {
  const parts = [noise(150_000), Buffer.from('b'), noise(100_000)];
  const packed = Buffer.concat(parts.map((part) => pack(part)));
  expect((await decompress(packed, compression, budgetOf(MIB))).equals(Buffer.concat(parts))).toBe(true);
});

it('charges for each decoder, so a body of empty frames is rejected', async () => {
  const frames = Buffer.concat(Array<Buffer>(1_000).fill(zstdCompressSync('')));
  await expect(decompress(frames, 'zstd', budgetOf(MIB))).rejects.toEqual(tooLarge);
});

it('rejects a zstd window over 8 MiB', async () => {
  const packed = (windowLog: number) =>
    zstdCompressSync(Buffer.alloc(10 * MIB), {
      params: { [constants.ZSTD_c_windowLog]: windowLog, [constants.ZSTD_c_contentSizeFlag]: 0 },
    });
  await expect(decompress(packed(23), 'zstd', budgetOf(10 * MIB))).resolves.toHaveLength(10 * MIB);
  await expect(decompress(packed(27), 'zstd', budgetOf(10 * MIB))).rejects.toThrow(DamagedError);
});

it('detects the compression by the first bytes', () => {
  const found = COMPRESSIONS.map((compression) => compressionOf(PACKERS[compression](Buffer.from('abc'))));
  expect(found).toEqual(['gzip', 'zlib', 'zstd', null]);
  expect([Buffer.alloc(0), Buffer.from('80.1.2.3'), Buffer.from('{}')].map(compressionOf)).toEqual([null, null, null]);
});
