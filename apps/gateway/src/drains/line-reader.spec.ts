import { getDrainSender, type DrainSource } from '#libs/drains';
import { LineReader } from './line-reader.js';

const COMBINED = '203.0.113.7 - - [21/Nov/2026:08:30:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "GPTBot/1.2"';
const LINE = {
  client: '203.0.113.7',
  time: expect.any(String),
  method: 'GET',
  path: '/a',
  status: 200,
  userAgent: 'GPTBot/1.2',
};
const MAPPING = { time: 't', client: 'c', path: 'p' };
const latin1 = (text: string) => Buffer.from(text).toString('latin1');
const read = (item: string | object, source: DrainSource = 'vector') =>
  new LineReader(getDrainSender(source), MAPPING).read(
    typeof item === 'string' ? item : latin1(JSON.stringify(item)),
  )[0];

it.each([
  ['a plain line', COMBINED],
  ['a line wrapped in an object', { message: COMBINED, host: 'web-1' }],
  ['a line with a line break, wrapped in JSON text', JSON.stringify({ log: `${COMBINED}\n`, stream: 'stdout' })],
])('reads a line from %s', (_, item) => expect(read(item)).toEqual({ line: expect.objectContaining(LINE) }));

it('reads non-ASCII characters in plain and wrapped JSON log entries', () => {
  const caddy = { ts: 1, request: { remote_ip: '203.0.113.7', method: 'GET', uri: '/é', headers: {} }, status: 200 };
  for (const item of [caddy, { log: JSON.stringify(caddy) }]) {
    expect(read(item)).toEqual({ line: expect.objectContaining({ path: '/é' }) });
  }
});

it.each([['remote'], ['host']])('reads lines parsed by Fluent Bit with the client address in "%s"', (client) => {
  const parsed = {
    date: 1_795_249_800.5,
    [client]: '203.0.113.7',
    method: 'GET',
    path: '/a',
    code: '200',
    agent: 'GPTBot/1.2',
  };
  expect(read(parsed, 'fluent-bit')).toEqual({ line: expect.objectContaining(LINE) });
  expect(read({ log: COMBINED, date: 1 }, 'fluent-bit')).toEqual({ line: expect.objectContaining(LINE) });
  expect(read({ other: 1 }, 'fluent-bit')).toEqual({ reason: expect.stringContaining('unknown format') });
});

it("applies the project's mapping only to custom JSON, and reads known formats from any source", () => {
  const customEntry = { t: 1_795_249_800, c: '203.0.113.7', p: '/a' };
  expect(read(customEntry, 'json')).toEqual({ line: expect.objectContaining({ path: '/a' }) });
  expect(read(customEntry)).toEqual({ reason: expect.stringContaining('unknown format') });
  expect(read(COMBINED, 'json')).toEqual({ line: expect.objectContaining(LINE) });
  expect(read({ t: 1, p: '/a' }, 'json')).toEqual({ reason: expect.stringContaining('client') });
});

it.each([
  '',
  '{',
  '{}',
  '[]',
  'null',
  '{"message":""}',
  '{"log":{}}',
  '{"message":"x"}',
  '{"__proto__":{"message":"x"}}',
])('returns a reason for the unreadable line %j', (item) => expect(read(item)).toEqual({ reason: expect.any(String) }));
