import { LogParser } from '../log-parser.js';
import type { LogLine } from '../log-line.js';
import { customFormat } from './custom-format.js';

const bytes = (text: string): string => Buffer.from(text).toString('latin1');

function read(directive: string, text: string): LogLine {
  const parsed = new LogParser(customFormat(directive)).read(bytes(text));
  if (!('line' in parsed)) throw new Error(JSON.stringify(parsed));
  return parsed.line;
}

function reason(directive: string, text: string): string {
  const parsed = new LogParser(customFormat(directive)).read(bytes(text));
  return 'reason' in parsed ? parsed.reason : JSON.stringify(parsed);
}

const AGENT = 'Mozilla/5.0 (compatible; Bot/1.0)';

describe('nginx', () => {
  const DIRECTIVE = `log_format agents '$host $remote_addr [$time_local] "$request" $status $body_bytes_sent '
                         '"$http_referer" "$http_user_agent" $request_time "$http_signature" "$http_signature_input" '
                         '"$sent_http_content_type" $request_id';`;
  const LINE = `shop.example 192.0.2.7 [17/May/2015:10:05:03 +0000] "GET /a?b=c HTTP/1.1" 200 12 "-" "${AGENT}" 0.029 "sig1=:aa==:" "sig1=(\\x22@authority\\x22)" "text/html" 0af1`;
  const VISIT = {
    host: 'shop.example',
    client: '192.0.2.7',
    time: '2015-05-17T10:05:03+00:00',
    method: 'GET',
    path: '/a?b=c',
    status: 200,
    size: 12,
    userAgent: AGENT,
    durationInMilliseconds: 29,
    headers: { signature: 'sig1=:aa==:', 'signature-input': 'sig1=("@authority")' },
    responseHeaders: { 'content-type': 'text/html' },
    id: '0af1',
  };

  it('accepts a log_format directive with or without its keywords and quotes', () => {
    expect(read(DIRECTIVE, LINE)).toEqual(VISIT);
    const bare = [...DIRECTIVE.matchAll(/'([^']*)'/g)].map(([, text]) => text).join('');
    expect(read(bare, LINE)).toEqual(VISIT);
    expect(read(`'${bare}'`, LINE)).toEqual(VISIT);
    expect(customFormat(DIRECTIVE)).toMatchObject({ verifiedBy: 'addresses and signatures', limits: '' });
  });

  it('reads JSON that has missing values or several variables in one value', () => {
    const json = `log_format json escape=json '{"at":"$time_iso8601","ip":"$remote_addr","req":"$request_method $scheme://$host$request_uri",'
      '"ua":"$http_user_agent","upstream":$upstream_response_time,"status":$status}';`;
    const line = `{"at":"2015-05-17T10:05:03+00:00","ip":"2001:db8::1","req":"GET https://shop.example/a?q=\\"é","ua":"say \\"hi\\" \\\\ \\u0007","upstream":,"status":404}`;
    expect(read(json.replace('$scheme', 'https'), line)).toEqual({
      client: '2001:db8::1',
      time: '2015-05-17T10:05:03+00:00',
      method: 'GET',
      host: 'shop.example',
      path: '/a?q="é',
      userAgent: 'say "hi" \\ \x07',
      status: 404,
    });
  });

  it('reads unquoted requests, times that contain spaces, and queries logged separately from paths', () => {
    expect(
      read('$remote_addr $time_local $request $status', '192.0.2.7 17/May/2015:10:05:03 +0000 GET /a b HTTP/2.0 200')
        .path,
    ).toBe('/a b');
    const parts = '$msec|$remote_addr|$request_method|$uri$is_args$args|$http_host|';
    expect(read(parts, '1431857103.123|192.0.2.7|GET|/a?b=c|a.example:443|')).toEqual({
      time: '2015-05-17T10:05:03.123Z',
      client: '192.0.2.7',
      method: 'GET',
      path: '/a?b=c',
      host: 'a.example',
    });
    expect(read('$msec $remote_addr $request_method $uri $args', '1431857103.123 192.0.2.7 GET /a b=c').path).toBe(
      '/a?b=c',
    );
  });

  it('uses the peer address if the realip module replaced the client address', () => {
    expect(
      read('$msec $remote_addr $realip_remote_addr $request_method $uri', '1431857103.100 198.51.100.9 192.0.2.7 GET /')
        .client,
    ).toBe('192.0.2.7');
  });

  it("doesn't unescape values logged with escape=none", () => {
    const plain = `log_format x escape=none '$remote_addr [$time_local] "$request" "$http_user_agent" $status';`;
    expect(read(plain, '192.0.2.7 [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" "a\\" 200').userAgent).toBe('a\\');
  });
});

describe('Apache', () => {
  const VISIT = {
    client: '192.0.2.7',
    time: '2015-05-17T10:05:03+00:00',
    method: 'GET',
    path: '/a?b=c',
    status: 200,
    size: 12,
    userAgent: 'say "hi"',
    durationInMilliseconds: 1.234,
    host: 'shop.example',
    headers: { 'signature-agent': '"https://a.example"' },
  };
  const LINE = String.raw`192.0.2.7 - John F Doe [17/May/2015:10:05:03 +0000] "GET /a?b=c HTTP/1.1" 200 12 "-" "say \"hi\"" 1234 shop.example "\"https://a.example\"" +`;

  it.each([
    String.raw`LogFormat "%h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-Agent}i\" %D %V \"%{Signature-Agent}i\" %X" agents`,
    String.raw`"%h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-agent}i\" %D %V \"%{Signature-Agent}i\" %X"`,
    String.raw`%h %l %u %t \"%r\" %>s %b \"%!200,304{Referer}i\" \"%{User-Agent}i\" %D %V \"%{Signature-Agent}i\" %X`,
    '%{c}a %l %u %t "%m %U%q %H" %s %B "%{Referer}i" "%{User-Agent}i" %{us}T %{Host}i "%{Signature-Agent}i" %X'
      .replace('%m %U%q %H', '%r')
      .replace('%{us}T', '%D'),
  ])('reads the Apache directive %s', (directive) => {
    expect(read(directive, LINE)).toEqual(VISIT);
  });

  it('reads separate method, path and query fields, and custom time formats', () => {
    const directive = String.raw`LogFormat "%{%Y-%m-%d %H:%M:%S}t.%{msec_frac}t %{%z}t %a %m %U%q %H %{ms}T" own`;
    expect(read(directive, '2015-05-17 10:05:03.123 +0200 192.0.2.7 POST /a?b=c HTTP/1.1 7')).toEqual({
      time: '2015-05-17T10:05:03.123+02:00',
      client: '192.0.2.7',
      method: 'POST',
      path: '/a?b=c',
      durationInMilliseconds: 7,
    });
    expect(read('%{usec}t %h %m %U', '1431857103123456 192.0.2.7 GET /a').time).toBe('2015-05-17T10:05:03.123Z');
  });

  it('rejects a time format without a fixed width', () => {
    expect(() => customFormat('%{%A}t %h %r')).toThrow('Use %t');
  });
});

describe('GoAccess', () => {
  it('reads GoAccess tokens that have a different meaning in Apache', () => {
    const line = `192.0.2.7 - - [17/May/2015:10:05:03 +0200] "GET /a HTTP/1.1" 200 12 "https://a.example/" "${AGENT}"`;
    expect(read('%h %^[%d:%t %^] "%r" %s %b "%R" "%u"', line)).toEqual({
      client: '192.0.2.7',
      time: '2015-05-17T10:05:03+02:00',
      method: 'GET',
      path: '/a',
      status: 200,
      size: 12,
      referer: 'https://a.example/',
      userAgent: AGENT,
    });
    expect(
      read(
        String.raw`log-format %x\t%h\t~h{, }\t%m\t%U\t%q\t%v\t%n`,
        '2015-05-17T10:05:03Z\t192.0.2.7\t198.51.100.9, 203.0.113.1\tGET\t/a\tb=c\ta.example\t1500000',
      ),
    ).toMatchObject({
      path: '/a?b=c',
      forwardedFor: '198.51.100.9, 203.0.113.1',
      durationInMilliseconds: 1.5,
    });
  });
});

it.each([
  ['$remote_addr $status', 'the time ($time_iso8601) and the method ($request_method) and the path ($request_uri)'],
  ['%t "%r"', 'the client address (%a)'],
  ['%h %^ %r', 'the time (%d and %t, or %x)'],
  ['combined', 'contains no nginx ($remote_addr)'],
  ['', 'contains no nginx ($remote_addr)'],
  ["log_format x escape=xml '$remote_addr';", "doesn't support escape=xml"],
  ['$remote_addr$request$msec', 'not separated'],
  ['%~%h %d %t %r', '%~'],
])('rejects the custom format %j', (directive, message) => {
  expect(() => customFormat(directive)).toThrow(message);
});

it('lists the fields that a custom format lacks', () => {
  expect(customFormat('$remote_addr [$time_local] "$request" $status')).toMatchObject({
    verifiedBy: 'addresses',
    limits: 'No user agents, no referers, no hosts, no signatures.',
  });
});

it.each([
  ['192.0.2.7 [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 x', 'no three-digit status'],
  ['192.0.2.7 [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 2000', 'no three-digit status'],
  ['192.0.2.7 [17/May/2015:10:05:03 +0000] "\\x16\\x03" 400', 'no HTTP request'],
  ['[17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200', 'does not match the format'],
  ['unix: [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200', 'no client address'],
])('rejects the line %s', (text, expected) => {
  expect(reason('$remote_addr [$time_local] "$request" $status', text)).toContain(expected);
});
