import { toEntries, LogParser } from './log-parser.js';

const bytes = (text: string): string => Buffer.from(text).toString('latin1');
const PLAIN = '192.0.2.7 - - [24/Nov/2026:02:35:22 +0000] "GET /a HTTP/1.1" 200 1';
const COMBINED = `${PLAIN} "-" "GPTBot/1.2"`;
const NGINX = '{"time_iso8601":"2026-11-24T02:35:22Z","remote_addr":"192.0.2.7","request":"GET /é HTTP/1.1"}';
const azure = (path: string): string =>
  `{"time":"2026-11-24T02:35:22Z","properties":{"requestUri":"https://a.example${path}","httpMethod":"GET","socketIp":"192.0.2.7"}}`;

it('reads a log with mixed formats and exposes the format of each line', () => {
  const parser = new LogParser();
  const read = [COMBINED, NGINX, PLAIN, `www.example.com:443 ${COMBINED}`, 'hello', bytes(NGINX)].map((text) => {
    const parsed = parser.read(text);
    return ['line' in parsed, parser.lastFormat?.name];
  });
  expect(read).toEqual([
    [true, 'combined'],
    [true, 'nginx-json'],
    [true, 'combined'],
    [true, 'combined'],
    [false, 'combined'],
    [true, 'nginx-json'],
  ]);
});

it('reads lines with more fields than the format defines', () => {
  const parser = new LogParser();
  expect(parser.read(`${PLAIN} 0.012`)).toMatchObject({ line: { path: '/a' } });
  expect(parser.lastFormat).toBeNull();
});

it.each([
  ['an object', NGINX, '/é'],
  ['after a syslog header', `<190>Nov 24 02:35:22 web nginx: ${NGINX}`, '/é'],
  ['a single array element', `[${NGINX}]`, '/é'],
  ['a single record in a wrapper', `{"records":[${azure('/b')}]}`, '/b'],
  ['nginx hex escapes', NGINX.replace('é', String.raw`\xC3\xA9\x22\\x41`), '/é"\\x41'],
])('reads JSON: %s', (_, text, path) => {
  expect(new LogParser().read(bytes(text))).toMatchObject({ line: { path } });
});

it.each([
  [`[${NGINX},${NGINX}]`, "2 entries in one line. Put each entry on its own line, for example with jq -c '.[]'"],
  [
    `{"records":[${azure('/')},${azure('/')}]}`,
    "2 entries in one line. Put each entry on its own line, for example with jq -c '.records[]'",
  ],
  [NGINX.slice(0, -1), 'incomplete or invalid JSON object'],
  ['{"a":1,"b":2}', 'JSON object in an unknown format (keys: a, b)'],
  ['{}', 'JSON object in an unknown format (keys: none)'],
  ['{"records":[]}', 'not a JSON object'],
  ['half of it}', 'no timestamp such as [17/May/2015:10:05:03 +0000]'],
])("explains why %j isn't a visit", (text, reason) => {
  expect(new LogParser().read(bytes(text))).toEqual({ reason });
});

it.each([
  `2026/11/24 02:35:22.900\tINFO\thttp.log.access.log0\thandled request\t${NGINX}`,
  `2026-11-24T02:35:22.900123Z stdout F ${NGINX}`,
  `web-1  | ${NGINX}`,
  `web-1  | 2026/11/24 02:35:22.900\tERROR\thttp.log.access\thandled request\t${NGINX}`,
  `<134>1 2026-11-24T02:33:26.123Z host app 123 - - ${NGINX}`,
])('finds a JSON object after a logger prefix: %s', (text) => {
  expect(new LogParser().read(bytes(text))).toMatchObject({ line: { client: '192.0.2.7', path: '/é' } });
});

it('ignores JSON that a visitor injected into a logged field', () => {
  const forged = NGINX.replace('192.0.2.7', '66.249.66.1').replace('é', '');
  const parser = new LogParser();
  parser.read('#Fields: date time c-ip cs-method cs-uri-stem cs-uri-query sc-status X-Forwarded-For');
  expect(parser.read(`2026-11-24 02:35:22 192.0.2.7 GET /a - 200 ${forged.replaceAll(' ', '+')}`)).toMatchObject({
    line: { client: '192.0.2.7' },
  });
  expect(new LogParser().read(`${COMBINED} ${forged}`)).toMatchObject({ line: { client: '192.0.2.7' } });
  expect(new LogParser().read(`2026-11-24 02:35:22 GET /${forged}`)).toHaveProperty('reason');
});

it.each(['client_ip', 'time', 'request', 'headers'])(
  'rejects deeply nested JSON without a stack overflow: %s',
  (name) => {
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    for (const text of [`{"${name}":${deep}}`, `{"proxy":{"${name}":${deep}}}`, `[{"${name}":${deep}}]`]) {
      expect(new LogParser().read(text)).toEqual({ reason: 'incomplete or invalid JSON object' });
    }
  },
);

it('splits a JSON document into entries', () => {
  expect(toEntries([1, 2])).toEqual([1, 2]);
  expect(toEntries({ records: [{ a: 1 }] })).toEqual([{ a: 1 }]);
  expect(toEntries({ a: 1 })).toEqual([{ a: 1 }]);
  expect(new LogParser().readAll(JSON.parse(NGINX) as Record<string, unknown>)).toMatchObject([
    { line: { path: '/é' } },
  ]);
});

it.each([
  ['combined', '"-" "GPTBot/1.2"', 'reason'],
  ['combined without a user agent', '"-" "-"', 'reason'],
  ['common', '', 'line'],
])('uses earlier lines to detect a truncated last line (format: %s)', (_, fields, outcome) => {
  const parser = new LogParser();
  const start = '198.51.100.7 - - [20/Nov/2026:10:05:04 +0000] "GET /a HTTP/1.1" 200 51';
  expect(parser.read(`${start}2 ${fields}`.trim())).toHaveProperty('line');
  expect(parser.read(start, false)).toHaveProperty(outcome);
  expect(parser.read(`${start}2 ${fields}`.trim(), false)).toHaveProperty('line');
});
