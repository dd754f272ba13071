import { logRecord } from '#libs/access-log';
import type { Visit } from '#libs/contracts';
import { getDrainSender, type DrainSource } from '#libs/drains';
import { LOG_CASES, type LogCase } from '../../../../test/kit/log-cases.js';
import { drainItems, type DrainItem } from './drain-body.js';
import { toChunks } from './drain-chunks.js';
import { LineSorter } from './line-sorter.js';
import { OtlpRecord } from './otlp-record.js';
import { drainFormat } from './drain-formats.js';

async function sort(source: DrainSource, body: Buffer) {
  const sorter = new LineSorter(getDrainSender(source), { leavesOutStaticFiles: false, mapping: null });
  const visits: Visit[] = [];
  const items = drainItems(body, drainFormat(getDrainSender(source), {}));
  for await (const chunk of toChunks(items)) {
    for (const item of chunk.items) visits.push(...toVisits(sorter, item));
  }
  return { visits, unreadable: sorter.receipt.unreadable };
}

const toVisits = (sorter: LineSorter, item: DrainItem): Visit[] =>
  sorter.sort(item).flatMap((sorted) => (sorted.kind === 'visit' ? [sorted.visit] : []));

const toExpected = ({ visits }: LogCase): object[] =>
  visits.map(({ client, path, userAgent }) => ({
    client,
    ...(path !== undefined && { path }),
    ...(userAgent !== undefined && { userAgent }),
  }));
const toComparable = (visits: Visit[], expected: object[]): object[] =>
  visits.map((visit, index) => {
    const found = {
      client: visit.client_address ?? visit.client_host_name ?? null,
      path: visit.request_path,
      userAgent: visit.request_headers?.['user-agent'] ?? null,
    };
    return Object.fromEntries(
      Object.keys(expected[index] ?? found).map((name) => [name, found[name as keyof typeof found]]),
    );
  });

const CASES = LOG_CASES.map((logCase) => ({ ...logCase, bytes: Buffer.from(logCase.log) }));
const TEXTS = CASES.flatMap((logCase) => (typeof logCase.log === 'string' ? [{ ...logCase, log: logCase.log }] : []));

it.each(CASES.map((logCase) => [logCase.kind, logCase.name, logCase] as const))(
  'reads a body the same way as a log file: %s, %s',
  async (_, __, logCase) => {
    const expected = toExpected(logCase);
    const { visits, unreadable } = await sort('vector', logCase.bytes);
    expect({ visits: toComparable(visits, expected), unreadable }).toEqual({
      visits: expected,
      unreadable: logCase.unreadable,
    });
  },
);

const splitLines = (log: string): string[] => log.split('\n').filter((line) => line !== '');

it.each([
  ['fluent-bit', (log: string) => JSON.stringify(splitLines(log).map((line) => ({ date: 1, log: line })))],
  [
    'vector',
    (log: string) =>
      splitLines(log)
        .map((line) => JSON.stringify({ message: line, host: 'web-1' }))
        .join('\n'),
  ],
  [
    'opentelemetry',
    (log: string) => {
      const logRecords = splitLines(log).map((line) => ({ body: { stringValue: line } }));
      return JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] });
    },
  ],
  ['aws-firehose', (log: string) => JSON.stringify({ records: [{ data: Buffer.from(log).toString('base64') }] })],
] as const)('strips known prefixes from lines sent by %s', async (source, wrap) => {
  for (const logCase of TEXTS.filter(({ kind }) => kind === '1 prefixes')) {
    const expected = toExpected(logCase);
    const { visits } = await sort(source, Buffer.from(wrap(logCase.log)));
    expect({ name: logCase.name, visits: toComparable(visits, expected) }).toEqual({
      name: logCase.name,
      visits: expected,
    });
  }
});

const LINE = TEXTS.find(({ name }) => name === 'changing prefixes')!.log.split('\n')[0]!;
const firehose = (...records: object[]): Buffer =>
  Buffer.from(
    JSON.stringify({
      records: records.map((record) => ({ data: Buffer.from(JSON.stringify(record)).toString('base64') })),
    }),
  );

describe('records with several lines', () => {
  it.each([
    [
      'a CloudWatch subscription',
      'aws-firehose',
      firehose({
        messageType: 'DATA_MESSAGE',
        logEvents: [
          { id: '1', timestamp: 1, message: LINE },
          { id: '2', timestamp: 2, message: LINE },
        ],
      }),
    ],
    ['a multi-line message', 'vector', Buffer.from(JSON.stringify({ message: `${LINE}\n${LINE}\n` }))],
    [
      'an OpenTelemetry body',
      'opentelemetry',
      Buffer.from(
        JSON.stringify({
          resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: `${LINE}\n${LINE}` } }] }] }],
        }),
      ),
    ],
    [
      'a Loki push request',
      'json',
      Buffer.from(
        JSON.stringify({
          streams: [
            {
              stream: { app: 'nginx' },
              values: [
                ['1', LINE],
                ['2', LINE],
              ],
            },
          ],
        }),
      ),
    ],
    [
      'a record array',
      'json',
      Buffer.from(
        `${JSON.stringify({ records: [{ message: LINE }, { message: LINE }] })}\n${JSON.stringify({ a: 1 })}`,
      ),
    ],
  ] as const)('creates a visit for each line in %s', async (_, source, body) => {
    const { visits } = await sort(source, body);
    expect(visits.map(({ request_path: path }) => path)).toEqual(['/a', '/a']);
  });

  it('skips CloudWatch control messages', async () => {
    const { visits, unreadable } = await sort(
      'aws-firehose',
      firehose({ messageType: 'CONTROL_MESSAGE', logEvents: [{ message: 'CWL CONTROL MESSAGE' }] }),
    );
    expect({ visits, unreadable }).toEqual({ visits: [], unreadable: 0 });
  });

  it('reads octet-counted Logplex messages', async () => {
    const line = '198.51.100.7 - - [20/Nov/2026:10:05:04 +0000] "GET /a HTTP/1.1" 200 512 "-" "GPTBot/1.2"';
    const message = `<158>1 2026-11-20T10:05:04.250000+00:00 host app web.1 - ${line}\n`;
    const { visits, unreadable } = await sort('json', Buffer.from(`${message.length} ${message}`.repeat(2)));
    expect(visits.map(({ request_path: path }) => path)).toEqual(['/a', '/a']);
    expect(unreadable).toBe(0);
  });

  it('reads thousands of CloudWatch events in one record', async () => {
    const logEvents = Array.from({ length: 3_000 }, (_, id) => ({ id, message: LINE }));
    const { visits } = await sort('aws-firehose', firehose({ messageType: 'DATA_MESSAGE', logEvents }));
    expect(visits.length).toBe(3_000);
  });
});

it.each([
  ['net.peer.ip', '198.51.100.7'],
  ['network.peer.address', '198.51.100.7'],
  ['net.sock.peer.addr', '198.51.100.7'],
  ['client.address', '198.51.100.7'],
  ['http.client_ip', '198.51.100.7'],
])('reads the client address from the OpenTelemetry attribute %s', (key, address) => {
  const text = (name: string, stringValue: string) => ({ key: name, value: { stringValue } });
  const attributes = [text('http.method', 'GET'), text('http.target', '/a'), text(key, address)];
  const record = new OtlpRecord(Buffer.alloc(1), () => logRecord({ timeUnixNano: '1795514400250000000', attributes }));
  const sorter = new LineSorter(getDrainSender('opentelemetry'), { leavesOutStaticFiles: false, mapping: null });
  expect(toVisits(sorter, record)).toEqual([expect.objectContaining({ client_address: address, request_path: '/a' })]);
});
