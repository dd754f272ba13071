import { LogParser } from '#libs/access-log';
import { selectFormat } from './select-format.js';

it('selects a format by name or server configuration, and returns null without either', () => {
  expect(selectFormat({})).toBeNull();
  expect(selectFormat({ format: 'caddy' })).toMatchObject({ name: 'caddy' });
  expect(selectFormat({ logFormat: '%h %t "%r"' })).toMatchObject({ title: 'Apache, custom format' });
});

it.each([
  [
    'haproxy',
    'User-Agent Host',
    '192.0.2.7:1 [24/Nov/2026:02:55:27.522] a a/b 0/0/0/1/1 200 7 - - ---- 1/1/0/0/0 0/0 {Bot/1.0|a.example} "GET / HTTP/1.1"',
  ],
  [
    'cloudfront-real-time',
    'timestamp,c-ip,cs-method,cs-host,cs-uri-stem,cs-user-agent',
    '1795487723.123\t192.0.2.7\tGET\ta.example\t/\tBot/1.0',
  ],
  [
    'iis',
    'date time c-ip cs-method cs-host cs-uri-stem cs(User-Agent)',
    '2026-11-24 02:35:23 192.0.2.7 GET a.example / Bot/1.0',
  ],
])('parses %s lines with custom fields', (format, fields, line) => {
  const parser = new LogParser(selectFormat({ format, fields }));
  expect(parser.read(line)).toMatchObject({ line: { client: '192.0.2.7', host: 'a.example', userAgent: 'Bot/1.0' } });
});

it.each([
  [{ logFormat: '$status' }, "--log-format: The nginx format doesn't contain"],
  [{ fields: 'Host' }, 'got --format none'],
  [{ format: 'combined', fields: 'Host' }, 'got --format combined'],
  [{ format: 'caddy', fields: 'Host' }, 'got --format caddy'],
  [{ format: 'iis', fields: 'Host' }, 'the columns belong to another format (got "Host")'],
])('rejects the format options %j', (options, message) => {
  expect(() => selectFormat(options)).toThrow(message);
});
