import { drainSender, type DrainSource } from '#libs/drains';
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
  new LineReader(drainSender(source), MAPPING).read(typeof item === 'string' ? item : latin1(JSON.stringify(item)))[0];

it.each([
  ['a line', COMBINED],
  ['what a collector wraps it in', { message: COMBINED, host: 'web-1' }],
  ['the same as text', JSON.stringify({ log: `${COMBINED}\n`, stream: 'stdout' })],
])('reads %s', (_, item) => expect(read(item)).toEqual({ line: expect.objectContaining(LINE) }));

it('reads a known format within an object, and non-ASCII characters', () => {
  const caddy = { ts: 1, request: { remote_ip: '203.0.113.7', method: 'GET', uri: '/é', headers: {} }, status: 200 };
  for (const item of [caddy, { log: JSON.stringify(caddy) }]) {
    expect(read(item)).toEqual({ line: expect.objectContaining({ path: '/é' }) });
  }
});

it.each([['remote'], ['host']])('reads lines parsed by Fluent Bit: %s', (client) => {
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
  expect(read({ other: 1 }, 'fluent-bit')).toEqual({ reason: expect.stringContaining('no known format') });
});

it("applies the project's mapping to custom JSON only, and reads known formats everywhere", () => {
  const own = { t: 1_795_249_800, c: '203.0.113.7', p: '/a' };
  expect(read(own, 'json')).toEqual({ line: expect.objectContaining({ path: '/a' }) });
  expect(read(own)).toEqual({ reason: expect.stringContaining('no known format') });
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
])("returns a reason if it can't read %j", (item) => expect(read(item)).toEqual({ reason: expect.any(String) }));
