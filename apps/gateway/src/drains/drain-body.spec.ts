import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { DRAIN_LIMITS } from '#libs/contracts';
import { drainItems, type DrainFormat, type DrainItem } from './drain-body.js';
import { toChunks } from './drain-chunks.js';

const LINES: DrainFormat = { readDocument: null, encoding: '' };

async function read(body: Buffer | string, form: Partial<DrainFormat> = {}): Promise<DrainItem[]> {
  const items: DrainItem[] = [];
  for await (const some of drainItems(Buffer.from(body), { ...LINES, ...form })) items.push(...some);
  return items;
}
const chunks = async (body: Buffer | string) => {
  const sizes: number[] = [];
  for await (const { items } of toChunks(drainItems(Buffer.from(body), LINES))) sizes.push(items.length);
  return sizes;
};
const problem = (status: number) => expect.objectContaining({ statusCode: status });

it('detects lines, arrays and single documents', async () => {
  expect(await read('{"a":1}\r\nb\n\n{"c":"é"}')).toEqual(['{"a":1}', 'b', '', '{"c":"Ã©"}']);
  expect(await read(' [{"a":1}, "b\\u00e9", 3]')).toEqual(['{"a":1}', 'bÃ©', '3']);
  expect(await read('{\n "a": 1\n}\n')).toEqual(['{\n "a": 1\n}']);
  // "80" is also a valid zlib header.
  expect(await read('80.1.2.3 x')).toEqual(['80.1.2.3 x']);
  expect(await read('')).toEqual(['']);
});

it('falls back to lines if the body only looks like a document', async () => {
  expect(await read('[10:00] GET\n{"a":1}')).toEqual(['[10:00] GET', '{"a":1}']);
  expect(await read('{"a":\n{"b":1}')).toEqual(['{"a":', '{"b":1}']);
  expect(await read('[info] {"a":1}\nb')).toEqual(['[info] {"a":1}', 'b']);
});

it.each([
  ['truncated', '{"a":'],
  ['too long', `{"a":"${'x'.repeat(3 * DRAIN_LIMITS.lineBytes)}"}`],
  ['in another format', '[2026-11-24T04:00:00.000Z] "GET / HTTP/1.1"'],
])("doesn't apply the document size limit to lines if the first line is %s", async (_, first) => {
  const lines = `{"b":"${'y'.repeat(50_000)}"}\n`.repeat(Math.ceil(DRAIN_LIMITS.documentBytes / 50_000));
  const [, second, ...others] = await read(`${first}\n${lines}`);
  expect([second, others.length]).toEqual([lines.slice(0, lines.indexOf('\n')), lines.split('\n').length - 1]);
});

it("doesn't apply the JSON value limit to lines if the first line is truncated", async () => {
  const lines = '{"a":[0,0,0,0,0,0,0,0]}\n'.repeat(90_000);
  await expect(read(`{"a":\n${lines.repeat(7)}`)).resolves.toHaveLength(90_000 * 7 + 2);
});

it.each([
  ['gzip members', gzipSync],
  ['zstd frames', zstdCompressSync],
])('reads a body with several %s', async (_, compress) => {
  const line = 'x'.repeat(50_000);
  expect(await read(Buffer.concat(['a\n', `${line}\n`, 'b\n'].map((text) => compress(text))))).toEqual([
    'a',
    line,
    'b',
    '',
  ]);
});

it('rejects bodies that are damaged or use an unsupported encoding', async () => {
  await expect(read(gzipSync('a'.repeat(1_000)).subarray(0, 20))).rejects.toEqual(problem(400));
  await expect(read(Buffer.from([0x1f, 0x8b, 1, 2, 3]))).rejects.toEqual(problem(400));
  await expect(read(brotliCompressSync('abc'), { encoding: 'br' })).rejects.toEqual(problem(415));
  await expect(read('x', { encoding: 'snappy' })).rejects.toEqual(problem(415));
});

describe('hostile bodies', () => {
  /** Returns the peak growth in resident memory while the body is read, in bytes. */
  const measurePeakGrowth = async (body: Buffer): Promise<number> => {
    let maxGrowth = 0;
    const before = process.memoryUsage().rss;
    try {
      for await (const _ of drainItems(body, LINES))
        maxGrowth = Math.max(maxGrowth, process.memoryUsage().rss - before);
    } catch {
      maxGrowth = Math.max(maxGrowth, process.memoryUsage().rss - before);
    }
    return maxGrowth;
  };

  it('limits the decoded size and the memory used by hostile bodies', async () => {
    const bomb = gzipSync(Buffer.alloc(DRAIN_LIMITS.decodedBytes + 1, 'x'), { level: 1 });
    await expect(read(bomb)).rejects.toEqual(problem(413));
    expect(await measurePeakGrowth(bomb)).toBeLessThan(100 * 2 ** 20);
    const object = gzipSync(`[${' '.repeat(DRAIN_LIMITS.documentBytes)}]`);
    await expect(read(object)).rejects.toEqual(problem(413));
  });

  it('rejects a body with thousands of empty frames', async () => {
    const frame = zstdCompressSync('');
    await expect(read(Buffer.concat(Array<Buffer>(2_000).fill(frame)))).rejects.toEqual(problem(413));
  });

  it("doesn't apply the document size limit to tiny lines if the first line is truncated", async () => {
    const lines = '{"a":1}\n'.repeat(DRAIN_LIMITS.documentBytes / 8);
    expect((await read(`{"a":\n${lines}`)).length).toBe(DRAIN_LIMITS.documentBytes / 8 + 2);
  });

  it('limits the zstd window size', async () => {
    const packed = (windowLog: number) =>
      zstdCompressSync('a\n'.repeat(5_000_000), {
        params: { [constants.ZSTD_c_windowLog]: windowLog, [constants.ZSTD_c_contentSizeFlag]: 0 },
      });
    expect((await read(packed(23))).length).toBe(5_000_001);
    await expect(read(packed(27))).rejects.toEqual(problem(400));
  });

  it('truncates long lines', async () => {
    const [line, next] = await read(`${'x'.repeat(2 ** 20)}\nb`);
    expect([line!.toString().length, next]).toEqual([DRAIN_LIMITS.lineBytes + 1, 'b']);
  });

  it('skips up to a million empty lines and rejects bodies with too many lines', async () => {
    expect(await chunks(gzipSync('\n'.repeat(900_000)))).toEqual([]);
    await expect(chunks(gzipSync('\n'.repeat(2_000_000)))).rejects.toEqual(problem(413));
    await expect(chunks('x\n'.repeat(DRAIN_LIMITS.lines + 1))).rejects.toEqual(problem(413));
    expect(await chunks('x\n'.repeat(2_500))).toEqual([1_000, 1_000, 500]);
  });

  it.each([
    ['levels of nesting', '['.repeat(100_000)],
    ['values', `[${'{},'.repeat(1_000_000)}0]`],
  ])('rejects a document with too many %s', async (_, document) => {
    await expect(read(document)).rejects.toEqual(problem(422));
  });

  it('truncates long array elements the same way as lines', async () => {
    const long = 'x'.repeat(5 * 2 ** 20);
    const items = await read(gzipSync(JSON.stringify([{ a: long }, long, { b: 1 }])));
    expect(items.map((item) => item.length)).toEqual([DRAIN_LIMITS.lineBytes + 1, DRAIN_LIMITS.lineBytes + 1, 7]);
  });
});
