import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { DRAIN_LIMITS } from '#libs/contracts';
import { drainItems, type DrainForm, type DrainItem } from './drain-body.js';
import { chunksOf } from './drain-chunks.js';

const LINES: DrainForm = { readDocument: null, encoding: '' };

async function read(body: Buffer | string, form: Partial<DrainForm> = {}): Promise<DrainItem[]> {
  const items: DrainItem[] = [];
  for await (const some of drainItems(Buffer.from(body), { ...LINES, ...form })) items.push(...some);
  return items;
}
const chunks = async (body: Buffer | string) => {
  const sizes: number[] = [];
  for await (const { items } of chunksOf(drainItems(Buffer.from(body), LINES))) sizes.push(items.length);
  return sizes;
};
const refusal = (status: number) => expect.objectContaining({ statusCode: status });

it('reads lines, arrays and single documents', async () => {
  expect(await read('{"a":1}\r\nb\n\n{"c":"é"}')).toEqual(['{"a":1}', 'b', '', '{"c":"Ã©"}']);
  expect(await read(' [{"a":1}, "b\\u00e9", 3]')).toEqual(['{"a":1}', 'bÃ©', '3']);
  expect(await read('{\n "a": 1\n}\n')).toEqual(['{\n "a": 1\n}']);
  // The first two bytes of this address are also a valid zlib header.
  expect(await read('80.1.2.3 x')).toEqual(['80.1.2.3 x']);
  expect(await read('')).toEqual(['']);
});

it('reads lines if the body only looks like a document', async () => {
  expect(await read('[10:00] GET\n{"a":1}')).toEqual(['[10:00] GET', '{"a":1}']);
  expect(await read('{"a":\n{"b":1}')).toEqual(['{"a":', '{"b":1}']);
  expect(await read('[info] {"a":1}\nb')).toEqual(['[info] {"a":1}', 'b']);
});

it.each([
  ['cut', '{"a":'],
  ['too long', `{"a":"${'x'.repeat(3 * DRAIN_LIMITS.lineBytes)}"}`],
  ['of another format', '[2026-11-24T04:00:00.000Z] "GET / HTTP/1.1"'],
])('applies no document size limit to lines when the first one is %s', async (_, first) => {
  const lines = `{"b":"${'y'.repeat(50_000)}"}\n`.repeat(Math.ceil(DRAIN_LIMITS.documentBytes / 50_000));
  const [, second, ...others] = await read(`${first}\n${lines}`);
  expect([second, others.length]).toEqual([lines.slice(0, lines.indexOf('\n')), lines.split('\n').length - 1]);
});

it('applies no limit on document values to lines when the first one is truncated', async () => {
  const lines = '{"a":[0,0,0,0,0,0,0,0]}\n'.repeat(90_000);
  await expect(read(`{"a":\n${lines.repeat(7)}`)).resolves.toHaveLength(90_000 * 7 + 2);
});

it.each([
  ['gzip members', gzipSync],
  ['zstd frames', zstdCompressSync],
])('reads a body of several %s', async (_, pack) => {
  const line = 'x'.repeat(50_000);
  expect(await read(Buffer.concat(['a\n', `${line}\n`, 'b\n'].map((text) => pack(text))))).toEqual([
    'a',
    line,
    'b',
    '',
  ]);
});

it("rejects bodies that it can't decode", async () => {
  await expect(read(gzipSync('a'.repeat(1_000)).subarray(0, 20))).rejects.toEqual(refusal(400));
  await expect(read(Buffer.from([0x1f, 0x8b, 1, 2, 3]))).rejects.toEqual(refusal(400));
  await expect(read(brotliCompressSync('abc'), { encoding: 'br' })).rejects.toEqual(refusal(415));
  await expect(read('x', { encoding: 'snappy' })).rejects.toEqual(refusal(415));
});

describe('hostile bodies', () => {
  /** Returns the peak growth in memory while the body is read, in bytes. */
  const held = async (body: Buffer): Promise<number> => {
    let most = 0;
    const before = process.memoryUsage().rss;
    try {
      for await (const _ of drainItems(body, LINES)) most = Math.max(most, process.memoryUsage().rss - before);
    } catch {
      most = Math.max(most, process.memoryUsage().rss - before);
    }
    return most;
  };

  it('limits decoded bytes and memory use', async () => {
    const bomb = gzipSync(Buffer.alloc(DRAIN_LIMITS.decodedBytes + 1, 'x'), { level: 1 });
    await expect(read(bomb)).rejects.toEqual(refusal(413));
    expect(await held(bomb)).toBeLessThan(100 * 2 ** 20);
    const object = gzipSync(`[${' '.repeat(DRAIN_LIMITS.documentBytes)}]`);
    await expect(read(object)).rejects.toEqual(refusal(413));
  });

  it('rejects a body of empty frames', async () => {
    const frame = zstdCompressSync('');
    await expect(read(Buffer.concat(Array<Buffer>(2_000).fill(frame)))).rejects.toEqual(refusal(413));
  });

  it('applies no document size limit to tiny lines when the first one is broken', async () => {
    const lines = '{"a":1}\n'.repeat(DRAIN_LIMITS.documentBytes / 8);
    expect((await read(`{"a":\n${lines}`)).length).toBe(DRAIN_LIMITS.documentBytes / 8 + 2);
  });

  it("limits zstd's window size", async () => {
    const packed = (windowLog: number) =>
      zstdCompressSync('a\n'.repeat(5_000_000), {
        params: { [constants.ZSTD_c_windowLog]: windowLog, [constants.ZSTD_c_contentSizeFlag]: 0 },
      });
    expect((await read(packed(23))).length).toBe(5_000_001);
    await expect(read(packed(27))).rejects.toEqual(refusal(400));
  });

  it('truncates a giant line', async () => {
    const [line, next] = await read(`${'x'.repeat(2 ** 20)}\nb`);
    expect([line!.toString().length, next]).toEqual([DRAIN_LIMITS.lineBytes + 1, 'b']);
  });

  it('skips up to a million empty lines, and rejects bodies with too many lines', async () => {
    expect(await chunks(gzipSync('\n'.repeat(900_000)))).toEqual([]);
    await expect(chunks(gzipSync('\n'.repeat(2_000_000)))).rejects.toEqual(refusal(413));
    await expect(chunks('x\n'.repeat(DRAIN_LIMITS.lines + 1))).rejects.toEqual(refusal(413));
    expect(await chunks('x\n'.repeat(2_500))).toEqual([1_000, 1_000, 500]);
  });

  it.each([
    ['depth', '['.repeat(100_000)],
    ['values', `[${'{},'.repeat(1_000_000)}0]`],
  ])('rejects a document of nothing but %s', async (_, document) => {
    await expect(read(document)).rejects.toEqual(refusal(422));
  });

  it('truncates long array elements like lines', async () => {
    const long = 'x'.repeat(5 * 2 ** 20);
    const items = await read(gzipSync(JSON.stringify([{ a: long }, long, { b: 1 }])));
    expect(items.map((item) => item.length)).toEqual([DRAIN_LIMITS.lineBytes + 1, DRAIN_LIMITS.lineBytes + 1, 7]);
  });
});
