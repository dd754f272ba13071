import { stripPrefix } from './line-prefix.js';

const LINE = '192.0.2.7 - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 2 "-" "-"';

it.each([
  ['nginx', '<190>Nov 24 02:33:26 web nginx: '],
  ['nginx without a host', '<190>Nov  4 02:33:26 nginx: '],
  ['HAProxy', '<134>Nov 24 02:33:26 haproxy[123]: '],
  ['an rsyslog file', 'Nov 24 02:33:26 web haproxy[123]: '],
  ['a relay that writes ISO 8601 times', '<134>2026-11-24T02:33:26.123456+01:00 2001:db8::1 apache2: '],
  ['RFC 5424', '<165>1 2026-11-24T02:33:26.003Z web.example app 111 ID47 - '],
  ['RFC 5424 with structured data', '<165>1 2026-11-24T02:33:26Z - - - - [a@1 b="x\\"] y"][c d="]"] '],
])('strips the prefix added by %s', (_, header) => {
  expect(stripPrefix(`${header}${LINE}`)).toEqual({ text: LINE });
  expect(stripPrefix(`${header}{"a": "b"}`)).toEqual({ text: '{"a": "b"}' });
});

it.each([LINE, '<190', 'November', '', '{"a":"b"}', '2001:db8::7 - -'.replace('2001:db8::7', '[2001:db8::7]')])(
  'leaves %j unchanged',
  (text) => {
    expect(stripPrefix(text)).toBeNull();
  },
);

it("returns an empty text if structured data isn't terminated", () => {
  expect(stripPrefix('<165>1 2026-11-24T02:33:26Z - - - - [a b="x')).toEqual({ text: '' });
});
