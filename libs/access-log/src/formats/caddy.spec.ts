import { LogParser } from '../log-parser.js';
import type { LogLine } from '../log-line.js';
import { toVisit } from '../log-visit.js';
import { apacheFormats } from './apache.js';
import { caddy } from './caddy.js';

const parseCaddyLine = (text: string) => new LogParser(caddy).read(text);

const ENTRY = {
  level: 'info',
  ts: 1_646_861_401.524,
  logger: 'http.log.access.log0',
  msg: 'handled request',
  request: {
    remote_ip: '192.0.2.7',
    remote_port: '41342',
    client_ip: '198.51.100.9',
    proto: 'HTTP/2.0',
    method: 'GET',
    host: 'shop.example:443',
    uri: '/a?b=é',
    headers: {
      'User-Agent': ['GPTBot/1.2'],
      'X-Forwarded-For': ['198.51.100.9', '203.0.113.1'],
      Signature: ['sig1=:aa==:'],
      Cookie: ['REDACTED'],
    },
  },
  bytes_read: 0,
  duration: 0.000929675,
  size: 10_900,
  status: 404,
  resp_headers: { Server: ['Caddy'] },
};
const bytes = (entry: unknown): string => Buffer.from(JSON.stringify(entry)).toString('latin1');
const without = (name: keyof typeof ENTRY.request): object => ({
  ...ENTRY,
  request: { ...ENTRY.request, [name]: undefined },
});

it('reads the peer and all headers from a Caddy line', () => {
  const { line } = parseCaddyLine(bytes(ENTRY)) as { line: LogLine };
  expect(toVisit(line)).toEqual({
    request_path: '/a?b=é',
    request_method: 'GET',
    request_headers: {
      host: 'shop.example',
      'user-agent': 'GPTBot/1.2',
      'x-forwarded-for': '198.51.100.9, 203.0.113.1',
      signature: 'sig1=:aa==:',
      cookie: 'REDACTED',
    },
    client_address: '192.0.2.7',
    response_status_code: 404,
    response_size_in_bytes: 10_900,
    response_duration_in_milliseconds: 0.93,
    created: '2022-03-09T21:30:01.524Z',
  });
});

it('recognizes Caddy lines without knowing the format', () => {
  expect(new LogParser().read(bytes(ENTRY))).toEqual(parseCaddyLine(bytes(ENTRY)));
  expect(new LogParser(apacheFormats[0]).read(bytes(ENTRY))).toEqual({
    reason: expect.stringContaining('no timestamp such as'),
  });
});

it.each([
  ['{"level":"info","ts":1646861401.5', 'incomplete or invalid JSON object'],
  [bytes({ level: 'info', ts: 1, msg: 'started' }), 'no method and path'],
  [bytes(without('remote_ip')), 'no client address'],
  [bytes(without('uri')), 'no method and path'],
  [bytes({ ...ENTRY, ts: 'yesterday' }), 'no time'],
  [bytes({ ...ENTRY, request: { ...ENTRY.request, uri: '/'.repeat(8_193) } }), 'longer than 8192'],
  ['{}', 'no method and path'],
  ['{"request":null}', 'no method and path'],
])('rejects the line %p', (text, reason) => {
  expect(parseCaddyLine(text)).toEqual({ reason: expect.stringContaining(reason) });
});

it('reads a formatted time and omits a missing status and size', () => {
  const { line } = parseCaddyLine(bytes({ ...ENTRY, ts: '2022-03-09T22:30:01+01:00', status: 0, size: -1 })) as {
    line: LogLine;
  };
  expect(line.time).toBe('2022-03-09T21:30:01.000Z');
  expect([line.status, line.size]).toEqual([undefined, undefined]);
});

it('reads a peer address with a port, as logged before Caddy 2.5', () => {
  const request = { ...ENTRY.request, remote_ip: undefined, remote_addr: '[2001:db8::7]:41342' };
  expect(new LogParser().read(bytes({ ...ENTRY, request }))).toMatchObject({ line: { client: '2001:db8::7' } });
});
