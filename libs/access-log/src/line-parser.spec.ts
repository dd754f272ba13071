import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { measureGrowth, MAX_GROWTH } from '../../../test/kit/cost.js';
import { MAX_LINE_LENGTH } from './limits.js';
import { parseLine } from './line-parser.js';
import type { LogLine } from './log-line.js';
import { readLine } from './plain-line.js';

const bytes = (text: string): string => Buffer.from(text).toString('latin1');

function read(text: string, ...rest: [format?: Parameters<typeof parseLine>[1], finished?: boolean]): LogLine {
  const parsed = parseLine(bytes(text), ...rest);
  if ('reason' in parsed) throw new Error(parsed.reason);
  return parsed.line;
}

function reason(text: string, ...rest: [format?: Parameters<typeof parseLine>[1], finished?: boolean]): string {
  const parsed = parseLine(bytes(text), ...rest);
  return 'reason' in parsed ? parsed.reason : `read: ${JSON.stringify(parsed.line)}`;
}

const COMMON = '192.0.2.7 - frank [17/May/2015:10:05:03 +0000] "GET /a?b=c HTTP/1.1" 200 2326';
const COMBINED = `${COMMON} "https://example.com/" "Mozilla/5.0 (compatible; Bot/1.0)"`;
const LINE: LogLine = {
  client: '192.0.2.7',
  time: '2015-05-17T10:05:03+00:00',
  method: 'GET',
  path: '/a?b=c',
  status: 200,
  size: 2326,
};
const AGENT = { referer: 'https://example.com/', userAgent: 'Mozilla/5.0 (compatible; Bot/1.0)' };

describe('formats', () => {
  it('distinguishes common and combined lines, with or without a virtual host', () => {
    expect(read(COMMON)).toEqual(LINE);
    expect(read(COMBINED)).toEqual({ ...LINE, ...AGENT });
    expect(read(`www.example.com:443 ${COMBINED}`)).toEqual({ ...LINE, ...AGENT, host: 'www.example.com' });
    expect(read(`www.example.com:8080 ${COMMON}`)).toEqual({ ...LINE, host: 'www.example.com:8080' });
    expect(read(`192.0.2.1:80 ${COMMON}`)).toEqual({ ...LINE, host: '192.0.2.1' });
  });

  it('reads IPv6 addresses, host names and users with spaces', () => {
    expect(read(COMMON.replace('192.0.2.7', '2001:db8::1')).client).toBe('2001:db8::1');
    expect(read(`a.example ${COMMON.replace('192.0.2.7', '2001:db8::1')}`)).toMatchObject({
      host: 'a.example',
      client: '2001:db8::1',
    });
    expect(read(COMMON.replace('192.0.2.7', 'crawl.example.net'))).toMatchObject({ client: 'crawl.example.net' });
    expect(read(COMMON.replace('frank', 'John F Doe'))).toEqual(LINE);
    expect(read(`- ${COMBINED}`, 'vhost-combined')).not.toHaveProperty('host');
  });

  it("rejects lines that don't match the requested format", () => {
    expect(read(COMMON, 'common')).toEqual(LINE);
    expect(reason(COMBINED, 'common')).toBe('too many fields for the common format');
    expect(reason(COMMON, 'combined')).toBe('no quoted referer and user agent at the end');
    expect(read(`host.example ${COMBINED}`, 'vhost-combined')).toMatchObject({ host: 'host.example' });
    expect(reason(COMBINED.replace('- frank ', '- '), 'vhost-combined')).toBe('no client address before the timestamp');
  });

  it('reads an extra quoted field as X-Forwarded-For if it contains addresses, and ignores other extra fields', () => {
    expect(read(`${COMBINED} "203.0.113.9, 10.0.0.1"`).forwardedFor).toBe('203.0.113.9, 10.0.0.1');
    expect(read(`${COMBINED} "-"`)).toEqual({ ...LINE, ...AGENT });
    expect(read(`${COMBINED} 0.012 "upstream"`)).toEqual({ ...LINE, ...AGENT });
    expect(read(`${COMMON} 0.012`)).toEqual(LINE);
  });
});

it('uses the last address if X-Forwarded-For is logged as the client', () => {
  const line = '66.249.66.1, 198.51.100.4 - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 5 "-" "-"';
  expect(parseLine(line)).toMatchObject({ line: { client: '198.51.100.4' } });
  expect(parseLine(`shop.example:443 ${line}`)).toMatchObject({
    line: { host: 'shop.example', client: '198.51.100.4' },
  });
  expect(parseLine(line)).not.toHaveProperty('line.host');
});

describe('fields', () => {
  it('omits missing fields', () => {
    const line = read('192.0.2.7 - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" - - "-" "-"');
    expect(line).toEqual({ client: '192.0.2.7', time: '2015-05-17T10:05:03+00:00', method: 'GET', path: '/' });
  });

  it.each([
    ['Apache-escaped quotes', 'say \\"hi\\"', 'say "hi"'],
    ['nginx-escaped quotes', 'say \\x22hi\\x22', 'say "hi"'],
    ['unescaped quotes', 'say "hi"!', 'say "hi"!'],
    ['a trailing backslash', 'path\\\\', 'path\\'],
    ['a tab', 'a\\tb', 'a\tb'],
    ['escaped UTF-8', '\\xd0\\x9f\\xd1\\x80', 'Пр'],
    ['escaped Latin-1', 'caf\\xe9', 'café'],
    ['UTF-8', 'Тест 试验', 'Тест 试验'],
    ['an unknown escape', 'a\\qb', 'a\\qb'],
  ])('reads a user agent with %s', (_, written, meant) => {
    expect(read(`${COMMON} "-" "${written}"`).userAgent).toBe(meant);
  });

  it('preserves the UTC offset and rejects invalid times', () => {
    expect(read(COMMON.replace('+0000', '-0330')).time).toBe('2015-05-17T10:05:03-03:30');
    expect(read(COMMON.replace('10:05:03', '23:59:60')).time).toBe('2015-05-17T23:59:59+00:00');
    expect(reason(COMMON.replace('17/May', '31/Feb'))).toBe('invalid timestamp: [31/Feb/2015:10:05:03 +0000]');
    expect(reason(COMMON.replace('17/May', '17/Mai'))).toMatch('invalid timestamp');
    expect(reason(COMMON.replace('10:05', '25:05'))).toMatch('invalid timestamp');
  });
});

describe('unreadable lines', () => {
  it.each([
    ['', 'no timestamp such as [17/May/2015:10:05:03 +0000]'],
    ['hello', 'no timestamp such as [17/May/2015:10:05:03 +0000]'],
    [COMMON.slice(0, 60), 'no quoted request after the timestamp'],
    [COMMON.replace('GET /a?b=c HTTP/1.1', '-'), 'no HTTP request: "-"'],
    [COMMON.replace('GET /a?b=c HTTP/1.1', '\\x16\\x03\\x01'), 'no HTTP request: "\\x16\\x03\\x01"'],
    [COMMON.replace(' 200 2326', ''), 'no status and size after the request'],
    [COMMON.replace('192.0.2.7 - frank ', ''), 'no client address before the timestamp'],
    [`${COMMON} "https://exa`, 'no quoted referer and user agent at the end'],
    ['x'.repeat(MAX_LINE_LENGTH + 1), 'longer than 64 KiB'],
  ])('rejects %p with the reason "%s"', (line, expected) => {
    expect(reason(line)).toBe(expected);
  });

  it('reads a truncated user agent unless the line is unfinished', () => {
    const cut = COMBINED.slice(0, -6);
    expect(read(cut).userAgent).toBe('Mozilla/5.0 (compatible; Bot');
    expect(reason(cut, 'auto', false)).toBe('no quoted referer and user agent at the end');
  });
});

describe.each([' ', '"', '\\', '[', ' "', 'HTTP/1.1 ', '" '])('a line full of %j', (filler) => {
  const START = '1.1.1.1 - - [17/May/2015:10:05:03 +0000] "GET ';
  it.each([
    ['in the request', (text: string) => `${START}${text}`],
    ['everywhere', (text: string) => `${START}${text}" 200 1 "${text}`],
    ['before the time', (text: string) => `${text}${START}`],
    ['at the end', (text: string) => `${START}/ HTTP/1.1" 200 1 "-" "${text}\x01`],
  ])('parses the line in linear time if the repeated text is %s', async (_, lineOf) => {
    const createWork = (size: number) => {
      const line = lineOf(filler.repeat(size / filler.length));
      expect(line.length).toBeLessThan(MAX_LINE_LENGTH);
      return () => readLine(line, 'auto', true);
    };
    expect(await measureGrowth(createWork, 450)).toBeLessThan(MAX_GROWTH);
  });
});

// Optional log from a real site, in which every line is a request.
const SAMPLE = join(import.meta.dirname, '../../../../../shared/samples/apache-access.log.gz');
if (existsSync(SAMPLE)) {
  it('reads every line of a real log', () => {
    const lines = gunzipSync(readFileSync(SAMPLE)).toString('latin1').trimEnd().split('\n');
    const unreadable = lines.filter((line) => 'reason' in parseLine(line));
    expect({ lines: lines.length, unreadable }).toEqual({ lines: 10_000, unreadable: [] });
  });
}

it('finds the timestamp after a user name that looks like one', () => {
  const line = '192.0.2.7 - x [17/May/2015:10:05:03 +0000] [24/Nov/2026:02:35:22 +0000] "GET /a HTTP/1.1" 200 1';
  expect(parseLine(line)).toMatchObject({
    line: { client: '192.0.2.7', time: '2026-11-24T02:35:22+00:00', path: '/a' },
  });
});
