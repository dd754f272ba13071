import { crc32, gzipSync } from 'node:zlib';
import { DRAIN_LIMITS } from '#libs/contracts';
import { getDrainSender, type DrainSource } from '#libs/drains';
import { drainItems, type DrainItem } from './drain-body.js';
import { toChunks } from './drain-chunks.js';
import { LineReader } from './line-reader.js';
import { drainFormat } from './drain-formats.js';

const MIB = 2 ** 20;

async function readItems(source: DrainSource, body: string | Buffer, type = ''): Promise<DrainItem[]> {
  const items: DrainItem[] = [];
  for await (const chunk of toChunks(
    drainItems(Buffer.from(body), drainFormat(getDrainSender(source), { 'content-type': type })),
  )) {
    items.push(...chunk.items);
  }
  return items;
}
const firehose = (records: unknown) => JSON.stringify({ requestId: 'x', timestamp: 1, records });
const readRecords = (...texts: (string | Buffer)[]) =>
  readItems('aws-firehose', firehose(texts.map((text) => ({ data: Buffer.from(text).toString('base64') }))));
const problem = (status: number) => expect.objectContaining({ statusCode: status });

/** Returns a gzip stream of zeros with an invalid checksum. `bytes` is the uncompressed size. */
function damagedGzip(bytes: number): Buffer {
  const packed = gzipSync(Buffer.alloc(bytes));
  packed.writeUInt32LE(crc32('something else'), packed.length - 8);
  return packed;
}

describe('Firehose', () => {
  it('splits Firehose records into lines', async () => {
    expect(await readRecords('a\nb\n', gzipSync('c'))).toEqual(['a', 'b', 'c']);
    expect(await readItems('aws-firehose', `[${firehose([{ data: 'YQ==' }])}]`)).toEqual(['a']);
    expect(await readItems('aws-firehose', firehose([{ data: 'Yj8\\/' }]).replace('\\\\', '\\'))).toEqual(['b??']);
  });

  it("counts a record that can't be decoded as an unreadable line", async () => {
    const whole = gzipSync('a line\n'.repeat(1_000));
    expect(await readRecords(whole.subarray(0, -9), damagedGzip(3 * MIB), 'b')).toEqual([
      '(a record that cannot be decompressed)',
      '(a record that cannot be decompressed)',
      'b',
    ]);
    const others = [null, 1, {}, { data: null }, { data: 'a b' }, { data: 'YQ==YQ==' }];
    expect(await readItems('aws-firehose', firehose(others))).toEqual(
      others.map(() => expect.stringContaining('base64')),
    );
  });

  it("reads CloudWatch messages that aren't strings as text", async () => {
    const events = '{"logEvents":[{"message":"a"},{"message":{"b":1}},{"message":invalid},{"message":"\\x"}]}';
    expect(await readRecords(events)).toEqual(['a', '{"b":1}', 'invalid', '"\\x"']);
  });

  it('reads a record that is too large to buffer', async () => {
    const line = 'x'.repeat(1_000);
    expect(await readRecords(gzipSync(`${line}\n`.repeat(3_000)))).toEqual(Array(3_000).fill(line));
  });

  it('counts the decoded size of damaged records toward the limit', async () => {
    await expect(readRecords(...Array<Buffer>(3).fill(damagedGzip(50 * MIB)))).rejects.toEqual(problem(413));
  });

  it('limits the number of compressed records, even if they are empty', async () => {
    await expect(readRecords(...Array<Buffer>(5_000).fill(gzipSync('')))).rejects.toEqual(problem(413));
  });

  it('rejects a body with too many lines', async () => {
    await expect(readRecords(gzipSync('a\n'.repeat(DRAIN_LIMITS.lines + 1)))).rejects.toEqual(problem(413));
    await expect(readRecords('\n'.repeat(600_000), '\n'.repeat(600_000))).rejects.toEqual(problem(413));
  });

  it.each(['{}', '[{}]', '{"records":{}}', '{"records":[{"data":"YQ=="}', '7', ''])(
    'rejects the Firehose body %s',
    async (body) => {
      await expect(readItems('aws-firehose', body)).rejects.toEqual(problem(400));
    },
  );

  it('rejects a body that is nested too deeply', async () => {
    await expect(readItems('aws-firehose', '['.repeat(100_000))).rejects.toEqual(problem(422));
    await expect(readItems('aws-firehose', '{"a":'.repeat(100_000))).rejects.toEqual(problem(422));
  });
});

describe('OpenTelemetry', () => {
  const exported = (...logRecords: unknown[]) => JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] });
  const readAll = async (...records: unknown[]) => {
    const reader = new LineReader(getDrainSender('opentelemetry'), null);
    return (await readItems('opentelemetry', exported(...records))).flatMap((item) => reader.read(item));
  };
  const LINE = '203.0.113.7 - - [21/Nov/2026:08:30:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "GPTBot/1.2"';
  const parsedLine = { line: expect.objectContaining({ path: '/a' }) };

  it('reports a record that is too long and still reads the others', async () => {
    const long = { body: { stringValue: `{"password":"${'x'.repeat(15 * MIB)}` } };
    const wide = { attributes: Array(400_000).fill(0) };
    const line = { body: { stringValue: LINE } };
    expect(await readAll(long, line, 7)).toEqual([
      { reason: 'longer than 64 KiB' },
      parsedLine,
      { reason: expect.any(String) },
    ]);
    expect(await readAll(wide, line)).toEqual([{ reason: 'longer than 64 KiB' }, parsedLine]);
  });

  it('reports a record that is nested too deeply and still reads the others', async () => {
    let body: object = { stringValue: 'x' };
    for (let depth = 0; depth < 300; depth += 1) body = { arrayValue: { values: [body] } };
    expect(await readAll({ body }, { body: { stringValue: LINE } })).toEqual([
      { reason: expect.any(String) },
      parsedLine,
    ]);
  });

  it.each([
    {},
    { resourceLogs: {} },
    { resourceLogs: [null, 1, { scopeLogs: 'x' }, { scopeLogs: [{ logRecords: 1 }] }] },
  ])('finds no records in %j', async (request) =>
    expect(await readItems('opentelemetry', JSON.stringify(request))).toEqual([]),
  );

  it('limits the number of protobuf fields in a request and the size of a record', async () => {
    const type = 'application/x-protobuf';
    const emptyFields = Buffer.alloc(DRAIN_LIMITS.documentBytes, Buffer.from([0x0a, 0x00]));
    await expect(readItems('opentelemetry', emptyFields, type)).rejects.toEqual(problem(413));
    const message = (tag: number, content: Buffer): Buffer => {
      const length: number[] = [];
      for (let rest = content.length; ; rest >>>= 7) {
        length.push(rest > 127 ? (rest & 127) | 128 : rest);
        if (rest <= 127) break;
      }
      return Buffer.concat([Buffer.from([tag, ...length]), content]);
    };
    const attribute = message(0x32, Buffer.alloc(14_000_000, Buffer.from([0x0a, 0x00])));
    const request = message(0x0a, message(0x12, message(0x12, attribute)));
    const items = await readItems('opentelemetry', gzipSync(request), type);
    expect(items.flatMap((item) => new LineReader(getDrainSender('opentelemetry'), null).read(item))).toEqual([
      { reason: 'longer than 64 KiB' },
    ]);
  });
});
