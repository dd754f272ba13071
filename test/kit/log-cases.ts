import type { LogLine } from '#libs/access-log';

/**
 * A log as it is found in the field: what each line is, or why it isn't a visit. Add a line for each new find; `log-cases.spec.ts` reads
 * them as files, and those of drains as bodies.
 */
export interface LogCase {
  kind: string;
  name: string;
  /** A text in UTF-8, or bytes. */
  log: string | Buffer;
  /** Fields of each visit; null for one that the line must not have. */
  visits: { [field in keyof LogLine]?: LogLine[field] | null }[];
  /** How many lines can't be read. */
  unreadable?: number;
}

const AT = '[20/Nov/2026:10:05:04 +0000]';
const AGENT = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)';
const TAIL = `- - ${AT} "GET /a HTTP/1.1" 200 512 "-" "${AGENT}"`;
const LINE = `198.51.100.7 ${TAIL}`;
const LINE6 = `2001:db8::7 ${TAIL}`;
const VISIT = {
  client: '198.51.100.7',
  method: 'GET',
  path: '/a',
  status: 200,
  size: 512,
  userAgent: AGENT,
  host: null,
};
const VISIT6 = { ...VISIT, client: '2001:db8::7' };
const TIME = '2026-11-20T10:05:04+00:00';
const json = (entry: unknown): string => JSON.stringify(entry);
const NGINX = {
  time_iso8601: TIME,
  remote_addr: '198.51.100.7',
  request_method: 'GET',
  request_uri: '/a',
  status: '200',
  body_bytes_sent: '512',
  http_user_agent: AGENT,
};
const without = (entry: object, ...names: string[]): object =>
  Object.fromEntries(Object.entries(entry).filter(([name]) => !names.includes(name)));

function cases(
  kind: string,
  found: [name: string, log: string | Buffer, visits: LogCase['visits'], unreadable?: number][],
): LogCase[] {
  return found.map(([name, log, visits, unreadable = 0]) => ({ kind, name, log, visits, unreadable }));
}

/** Prefixes in front of a line, and whether they are written in front of IPv6 and JSON alike. */
const PREFIXES: [name: string, prefix: string][] = [
  ['CRI', '2026-11-20T10:05:04.210102861Z stdout F '],
  ['CRI of stderr', '2026-11-20T10:05:04.210102861Z stderr F '],
  ['CRI with an offset', '2026-11-20T11:05:04.210102861+01:00 stdout F '],
  ['docker compose', 'web-1  | '],
  ['docker compose, a long name', 'shop-frontend-nginx-1  | '],
  ['docker compose in color', '\x1b[36mweb-1  |\x1b[0m '],
  ['docker compose with timestamps', 'web-1  | 2026-11-20T10:05:04.210102861Z '],
  ['docker service', 'web.1.abcd1234@node-1    | '],
  ['docker and kubectl with --timestamps', '2026-11-20T10:05:04.210102861Z '],
  ['kubectl with --prefix', '[pod/nginx-7d9c4b8f5-abcde/nginx] '],
  ['kubectl with --prefix and --timestamps', '[pod/nginx-7d9c4b8f5-abcde/nginx] 2026-11-20T10:05:04.210102861Z '],
  ['kubetail', '[nginx-7d9c4b8f5-abcde nginx] '],
  ['stern', 'nginx-7d9c4b8f5-abcde nginx '],
  ['an export of CloudWatch', '2026-11-20T10:05:04.210Z '],
  ['aws logs tail', '2026-11-20T10:05:04.210000+00:00 web/nginx/0123456789abcdef '],
  ['aws logs tail --format short', '2026-11-20T10:05:04 '],
  ['grep -n', '12:'],
  ['grep -H', 'access.log:'],
  ['grep -H, a path', '/var/log/nginx/access.log:'],
  ['grep -H, a name without a dot', 'access_log:'],
  ['grep -Hn', './access.log:12:'],
  ['zgrep', '/var/log/nginx/access.log.2.gz:'],
  ['zgrep -n', 'access.log.2.gz:1204:'],
  ['grep -n -C, around a match', '12-'],
  ['grep -Hn -C, around a match', 'access.log-12-'],
  ['findstr', 'C:\\inetpub\\logs\\access.log:12:'],
  ['uniq -c', '     12 '],
  ['nl and cat -n', '    12\t'],
  ['logcli', '2026-11-20T10:05:04Z {app="nginx", pod="nginx-7d9c"} '],
  ['logcli, a zone and no labels', '2026-11-20T11:05:04+01:00 {} '],
  ['RFC 3164', '<190>Nov 20 10:05:04 web nginx: '],
  ['RFC 3164 with a process', '<190>Nov 20 10:05:04 web nginx[123]: '],
  ['RFC 3164 without a host', '<190>Nov 20 10:05:04 nginx: '],
  ['RFC 3164 without a tag', '<190>Nov 20 10:05:04 web '],
  ['RFC 3164 without a tag, from an address', '<190>Nov 20 10:05:04 192.0.2.50 '],
  ['RFC 3164 without a tag and priority', 'Nov  2 10:05:04 web '],
  ['RFC 3164, a full host name', 'Nov 20 10:05:04 web.example.net nginx: '],
  ['a priority only', '<190>'],
  ['a tag only', 'nginx: '],
  ['a tag with a process', 'nginx[123]: '],
  ['RFC 5424', '<190>1 2026-11-20T10:05:04.210Z web nginx 123 - - '],
  ['RFC 5424 with data', '<190>1 2026-11-20T10:05:04.210Z web nginx 123 ID [a@1 b="c d"] '],
  ['rsyslog, ISO 8601', '2026-11-20T10:05:04.210102+00:00 web nginx: '],
  ['rsyslog, ISO 8601 without a tag', '2026-11-20T10:05:04.210102+00:00 web '],
  ['journalctl -o short', 'Nov 20 10:05:04 web nginx[123]: '],
  ['journalctl -o short-precise', 'Nov 20 10:05:04.210102 web nginx[123]: '],
  ['journalctl -o short-iso', '2026-11-20T10:05:04+0000 web nginx[123]: '],
  ['journalctl -o short-full', 'Fri 2026-11-20 10:05:04 UTC web nginx[123]: '],
  ['journalctl -o with-unit', 'Fri 2026-11-20 10:05:04 CET web nginx.service[123]: '],
  ['journalctl -o short-unix', '1795169104.210102 web nginx[123]: '],
  ['journalctl -o short-monotonic', '[   12.345678] web nginx[123]: '],
  ['heroku logs', '2026-11-20T10:05:04.210102+00:00 app[web.1]: '],
  ['ts', 'Nov 20 10:05:04 '],
  ["ts '[%F %T]'", '[2026-11-20 10:05:04] '],
  ['ts -s', '00:00:12 '],
  ['ts %.s', '1795169104.210102 '],
  ['milliseconds', '1795169104210 '],
  ["Go's logger", '2026/11/20 10:05:04 '],
  ['foreman', '10:05:04 web.1  | '],
  ['pm2', '0|app  | '],
  ['a level', '[info] '],
  ["Python's logger", 'INFO:access:'],
  ['a byte order mark', '\ufeff'],
  ['multitail in color', '\x1b[32m'],
  ['a stream', 'stdout F '],
  ['two prefixes', 'web-1  | Nov 20 10:05:04 web nginx[123]: '],
  ['three prefixes', 'app.log:12:2026-11-20T10:05:04.210102861Z stdout F '],
];

const PREFIXED = PREFIXES.flatMap(([name, prefix]) =>
  cases('1 prefixes', [
    [name, `${prefix}${LINE}\n${prefix}${LINE.replace('/a', '/b')}`, [VISIT, { ...VISIT, path: '/b' }]],
    [`${name}, IPv6`, `${prefix}${LINE6}`, [VISIT6]],
    [`${name}, JSON`, `${prefix}${json(NGINX)}`, [VISIT]],
  ]),
);

export const LOG_CASES: readonly LogCase[] = [
  ...PREFIXED,
  ...cases('1 prefixes', [
    [
      'parts of a line of CRI',
      [
        `2026-11-20T10:05:04.210102861Z stdout P ${LINE.slice(0, 70)}`,
        `2026-11-20T10:05:04.210102862Z stderr F an error`,
        `2026-11-20T10:05:04.210102863Z stdout P ${LINE.slice(70, 100)}`,
        `2026-11-20T10:05:04.210102864Z stdout F ${LINE.slice(100)}`,
        `2026-11-20T10:05:04.210102865Z stdout F ${LINE}`,
      ].join('\n'),
      [VISIT, VISIT],
      1,
    ],
    ['a virtual host behind a prefix', `web-1  | shop.example:443 ${LINE}`, [{ ...VISIT, host: 'shop.example' }]],
    [
      'a virtual host behind CRI',
      `2026-11-20T10:05:04.2Z stdout F shop.example ${LINE}`,
      [{ ...VISIT, host: 'shop.example' }],
    ],
    [
      'a virtual host behind syslog',
      `Nov 20 10:05:04 web shop.example:443 ${LINE}`,
      [{ ...VISIT, host: 'shop.example' }],
    ],
    ['the name of a machine', `web01 ${LINE}`, [VISIT]],
    ['an unknown prefix', `one two three ${LINE}`, [], 1],
    ['an unknown prefix with an address', `peer=192.0.2.50 x ${LINE}`, [], 1],
    ['the names of files that tail prints', `==> access.log <==\n${LINE}`, [VISIT]],
    ['a day of the month', `20 ${LINE}`, [VISIT]],
    [
      'IPv6 in the output of grep -n',
      `2:${LINE6}\n999:${LINE6}\n1000:${LINE6}\n2345:${LINE6}\n12345:${LINE6}`,
      [VISIT6, VISIT6, VISIT6, VISIT6, VISIT6],
    ],
    [
      'JSON of CRI in parts',
      `2026-11-20T10:05:04.2Z stdout P ${json(NGINX).slice(0, 50)}\n2026-11-20T10:05:04.3Z stdout F ${json(NGINX).slice(50)}`,
      [VISIT],
    ],
    [
      'prefixes that change',
      `${LINE}\nweb-1  | ${LINE}\n2026-11-20T10:05:04.2Z stdout F ${LINE}\n${LINE}`,
      [VISIT, VISIT, VISIT, VISIT],
    ],
  ]),
  ...cases('2 X-Forwarded-For', [
    ...[
      'x, 198.51.100.9',
      'unknown, 198.51.100.9',
      '-, 198.51.100.9',
      '_hidden, 198.51.100.9',
      '198.51.100.9, x',
      '198.51.100.9:51008',
      '[2001:db8::9]:51008, 192.0.2.1',
      '198.51.100.9,192.0.2.1',
      '203.0.113.1 , 198.51.100.9',
    ].map((value): [string, string, LogCase['visits']] => [
      value,
      `${LINE} "${value}"`,
      [{ ...VISIT, forwardedFor: value }],
    ]),
    ['something else', `${LINE} "upstream"`, [{ ...VISIT, forwardedFor: null }]],
    [
      'JSON',
      json({ ...NGINX, http_x_forwarded_for: 'x, 198.51.100.9' }),
      [{ ...VISIT, forwardedFor: 'x, 198.51.100.9' }],
    ],
    ['JSON, unknown', json({ ...NGINX, http_x_forwarded_for: 'unknown' }), [{ ...VISIT, forwardedFor: 'unknown' }]],
    ['as the client', `x, 198.51.100.7 ${TAIL}`, [VISIT]],
    ['as the client, unknown', `unknown, 198.51.100.7 ${TAIL}`, [VISIT]],
    [
      'as the client behind a virtual host',
      `shop.example unknown, 198.51.100.7 ${TAIL}`,
      [{ ...VISIT, host: 'shop.example' }],
    ],
    [
      'of Traefik',
      json({
        StartUTC: TIME,
        ClientAddr: '192.0.2.1:1',
        ClientHost: 'x, 198.51.100.7',
        RequestMethod: 'GET',
        RequestPath: '/a',
        DownstreamStatus: 200,
      }),
      [{ client: '192.0.2.1', forwardedFor: 'x, 198.51.100.7' }],
    ],
  ]),
  ...cases('3 fields behind the size', [
    [
      'microseconds',
      `198.51.100.7 - - ${AT} "GET /a HTTP/1.1" 200 512 1234 "-" "GPTBot/1.2"`,
      [{ ...VISIT, userAgent: 'GPTBot/1.2' }],
    ],
    [
      'seconds',
      `198.51.100.7 - - ${AT} "GET /a HTTP/1.1" 200 512 0.012 "https://a.example/" "GPTBot/1.2"`,
      [{ ...VISIT, userAgent: 'GPTBot/1.2', referer: 'https://a.example/' }],
    ],
    [
      'several',
      `198.51.100.7 - - ${AT} "GET /a HTTP/1.1" 200 512 612 0.012 - "-" "GPTBot/1.2" "203.0.113.9"`,
      [{ ...VISIT, userAgent: 'GPTBot/1.2', forwardedFor: '203.0.113.9' }],
    ],
    [
      'in brackets',
      `198.51.100.7 - - ${AT} "GET /a HTTP/1.1" 200 512 [12ms] "-" "GPTBot/1.2"`,
      [{ ...VISIT, userAgent: 'GPTBot/1.2' }],
    ],
    [
      'with a name',
      `198.51.100.7 - - ${AT} "GET /a HTTP/1.1" 200 512 rt=0.012 "-" "GPTBot/1.2"`,
      [{ ...VISIT, userAgent: 'GPTBot/1.2' }],
    ],
    [
      'behind a virtual host',
      `shop.example:443 198.51.100.7 - - ${AT} "GET /a HTTP/1.1" 200 512 1234 "-" "GPTBot/1.2"`,
      [{ ...VISIT, userAgent: 'GPTBot/1.2', host: 'shop.example' }],
    ],
    ['no field in quotes', `198.51.100.7 - - ${AT} "GET /a HTTP/1.1" 200 512 1234`, [{ ...VISIT, userAgent: null }]],
    [
      'a user agent only',
      `198.51.100.7 - - ${AT} "GET /a HTTP/1.1" 200 512 1234 "GPTBot/1.2"`,
      [{ ...VISIT, userAgent: 'GPTBot/1.2', referer: null }],
    ],
    [
      'a referer only',
      `198.51.100.7 - - ${AT} "GET /a HTTP/1.1" 200 512 1234 "https://a.example/"`,
      [{ ...VISIT, userAgent: null, referer: 'https://a.example/' }],
    ],
    ['who knows', `198.51.100.7 - - ${AT} "GET /a HTTP/1.1" 200 512 1234 "upstream one"`, [], 1],
    [
      'of the ingress of Kubernetes',
      `${LINE} 612 0.012 [default-web-80] [] 10.0.0.9:8080 512 0.012 200 0123456789abcdef`,
      [VISIT],
    ],
  ]),
  ...cases('4 clients', [
    ['a port', `198.51.100.7:51008 ${TAIL}`, [VISIT]],
    ['IPv6 with a port', `[2001:db8::7]:51008 ${TAIL}`, [VISIT6]],
    ['IPv6 in brackets', `[2001:db8::7] ${TAIL}`, [VISIT6]],
    ['a port behind a virtual host', `shop.example 198.51.100.7:51008 ${TAIL}`, [{ ...VISIT, host: 'shop.example' }]],
    [
      'IPv6 with a port behind a virtual host',
      `shop.example:443 [2001:db8::7]:51008 ${TAIL}`,
      [{ ...VISIT6, host: 'shop.example' }],
    ],
    ['a zone', `fe80::1%eth0 ${TAIL}`, [{ ...VISIT, client: 'fe80::1%eth0' }]],
    ['an IPv4 address in IPv6', `::ffff:198.51.100.7 ${TAIL}`, [{ ...VISIT, client: '::ffff:198.51.100.7' }]],
    [
      'a host name',
      `crawl-66-249-66-1.googlebot.com ${TAIL}`,
      [{ ...VISIT, client: 'crawl-66-249-66-1.googlebot.com' }],
    ],
    ['IPv6 with a port and without brackets', `2001:db8:0:0:0:0:0:7:443 ${TAIL}`, [], 1],
    ['nine groups', `abcd:2001:db8:1:2:3:4:5:6 ${TAIL}`, [], 1],
    ['a number out of range', `198.51.100.777 ${TAIL}`, [], 1],
    ['leading zeros', `198.51.100.07 ${TAIL}`, [], 1],
    ['three numbers', `198.51.100 ${TAIL}`, [], 1],
    ['a word', `| ${TAIL}`, [], 1],
    ['a missing value', `(null) ${TAIL}`, [], 1],
    ['a port in JSON', json({ ...NGINX, remote_addr: '198.51.100.7:51008' }), [VISIT]],
    ['IPv6 with a port in JSON', json({ ...NGINX, remote_addr: '[2001:db8::7]:51008' }), [VISIT6]],
    ['aiohttp, without names', `198.51.100.7 ${AT} "GET /a HTTP/1.1" 200 512 "-" "${AGENT}"`, [VISIT]],
  ]),
  ...cases('5 JSON keys', [
    ['request_query', json({ ...NGINX, request_query: 'b=1' }), [{ ...VISIT, path: '/a?b=1' }]],
    ['queryString', json({ ...NGINX, queryString: '?b=1' }), [{ ...VISIT, path: '/a?b=1' }]],
    ...[
      'response',
      'http_status',
      'statusCode',
      'status_code',
      'responseStatus',
      'response_code',
      'httpStatusCode',
    ].map((key): [string, string, LogCase['visits']] => [
      key,
      json({ ...without(NGINX, 'status'), [key]: 200 }),
      [VISIT],
    ]),
    ...[
      'X-Forwarded-For',
      'x-forwarded-for',
      'xff',
      'XFF',
      'xForwardedFor',
      'http_x_forwarded_for',
      'forwarded_for',
    ].map((key): [string, string, LogCase['visits']] => [
      key,
      json({ ...NGINX, [key]: '203.0.113.9' }),
      [{ ...VISIT, forwardedFor: '203.0.113.9' }],
    ]),
    ...(
      [
        ['request_time', 0.012, 12],
        ['request_time_ms', 12, 12],
        ['duration_ms', 12, 12],
        ['durationMs', '12', 12],
        ['duration_us', 12_000, 12],
        ['duration_ns', 12_000_000, 12],
        ['duration_seconds', 0.012, 12],
        ['elapsed_ms', 12, 12],
        ['latency_ms', 12, 12],
        ['response_time_ms', 12, 12],
        ['responseTimeMillis', 12, 12],
        ['took_ms', 12, 12],
        ['time_taken_ms', 12, 12],
        ['duration', '12ms', 12],
        ['duration', '1m0.5s', 60_500],
        ['latency', '1.5µs', 0.002],
        ['response_time', '0.012s', 12],
        ['request_duration_micros', 12_000, 12],
        // Of which nobody knows the unit.
        ['duration', 12, null],
        ['latency', 12, null],
        ['response_time', 12, null],
        ['upstream_response_time', 0.012, null],
        ['time_ms', 1_795_169_104_210, null],
      ] as const
    ).map(([key, value, milliseconds]): [string, string, LogCase['visits']] => [
      `${key}: ${value}`,
      json({ ...NGINX, [key]: value }),
      [{ ...VISIT, durationInMilliseconds: milliseconds as number }],
    ]),
    ...[
      'bytes',
      'size',
      'bytes_sent',
      'bytesSent',
      'response_size',
      'responseSize',
      'body_bytes',
      'response_length',
      'sent_bytes',
    ].map((key): [string, string, LogCase['visits']] => [
      key,
      json({ ...without(NGINX, 'body_bytes_sent'), [key]: 512 }),
      [VISIT],
    ]),
    ['the body before the response', json({ bytes_sent: 812, ...NGINX }), [VISIT]],
    [
      'http_host before host',
      json({ ...NGINX, host: 'web-1', http_host: 'shop.example' }),
      [{ ...VISIT, host: 'shop.example' }],
    ],
    [
      'names that begin as those of headers',
      json({ ...NGINX, http_status: 200, http_version: 'HTTP/2.0', http_accept: '*/*' }),
      [{ ...VISIT, headers: { 'user-agent': AGENT, accept: '*/*' } }],
    ],
    [
      'Matomo',
      json({
        ip: '198.51.100.7',
        host: 'shop.example',
        path: '/a',
        status: '200',
        referrer: '-',
        user_agent: AGENT,
        length: 512,
        generation_time_milli: 0.012,
        date: TIME,
      }),
      [{ ...VISIT, host: 'shop.example', durationInMilliseconds: 12 }],
    ],
    [
      'Logstash',
      json({
        '@timestamp': '2026-11-20T10:05:04Z',
        '@version': '1',
        host: 'web-1',
        clientip: '198.51.100.7',
        ident: '-',
        auth: '-',
        timestamp: '20/Nov/2026:10:05:04 +0000',
        verb: 'GET',
        request: '/a',
        httpversion: '1.1',
        response: '200',
        bytes: '512',
        referrer: '"-"',
        agent: `"${AGENT}"`,
      }),
      [{ ...VISIT, referer: null }],
    ],
    [
      'the Elastic Common Schema',
      json({
        '@timestamp': '2026-11-20T10:05:04Z',
        source: { ip: '198.51.100.7' },
        http: { request: { method: 'GET' }, response: { status_code: 200, body: { bytes: 512 } } },
        url: { original: '/a', domain: 'shop.example' },
        user_agent: { original: AGENT },
        event: { duration: 12_000_000 },
        host: { name: 'web-1' },
      }),
      [{ ...VISIT, host: 'shop.example', durationInMilliseconds: 12 }],
    ],
    [
      'the Elastic Common Schema, with dots',
      json({
        '@timestamp': '2026-11-20T10:05:04Z',
        'source.ip': '198.51.100.7',
        'http.request.method': 'GET',
        'http.response.status_code': 200,
        'http.response.body.bytes': 512,
        'url.path': '/a',
        'url.query': 'b=1',
        'user_agent.original': AGENT,
      }),
      [{ ...VISIT, path: '/a?b=1' }],
    ],
    [
      'Datadog',
      json({
        timestamp: '2026-11-20T10:05:04Z',
        network: { client: { ip: '198.51.100.7' }, bytes_written: 512 },
        http: { method: 'GET', url: '/a', status_code: 200, useragent: AGENT },
        duration: 12_000_000,
      }),
      [{ ...VISIT, durationInMilliseconds: null }],
    ],
    [
      'pino',
      json({
        level: 30,
        time: 1_795_169_104_000,
        pid: 1,
        hostname: 'web-1',
        req: {
          id: 1,
          method: 'GET',
          url: '/a',
          headers: { host: 'shop.example', 'user-agent': AGENT, 'x-forwarded-for': '203.0.113.9' },
          remoteAddress: '198.51.100.7',
          remotePort: 51_008,
        },
        res: { statusCode: 200 },
        responseTime: 12,
        msg: 'request completed',
      }),
      [{ ...VISIT, size: null, host: 'shop.example', forwardedFor: '203.0.113.9' }],
    ],
  ]),
  ...cases('8 encodings', [
    ['UTF-8 with a byte order mark', `\ufeff${LINE}\n${LINE}\n`, [VISIT, VISIT]],
    ['byte order marks within', `${LINE}\n\ufeff${LINE}\n`, [VISIT, VISIT]],
    ['a byte order mark before JSON', `\ufeff${json(NGINX)}\n`, [VISIT]],
    ['UTF-16LE', Buffer.from(`${LINE}\r\n${LINE}\r\n`, 'utf16le'), [VISIT, VISIT]],
    ['UTF-16LE with a byte order mark', Buffer.from(`\ufeff${LINE}\r\n${LINE}\r\n`, 'utf16le'), [VISIT, VISIT]],
    ['UTF-16BE', Buffer.from(`${LINE}\n${LINE}`, 'utf16le').swap16(), [VISIT, VISIT]],
    ['UTF-16BE with a byte order mark', Buffer.from(`\ufeff${LINE}\n`, 'utf16le').swap16(), [VISIT]],
    [
      'UTF-16LE, other alphabets',
      Buffer.from(`\ufeff${LINE.replace('GPTBot', 'Тест')}\n`, 'utf16le'),
      [{ ...VISIT, userAgent: AGENT.replace('GPTBot', 'Тест') }],
    ],
    ['UTF-16LE, JSON', Buffer.from(`\ufeff${json(NGINX)}\n`, 'utf16le'), [VISIT]],
    [
      'UTF-16LE, IIS',
      Buffer.from(
        '\ufeff#Fields: date time c-ip cs-method cs-uri-stem sc-status\r\n2026-11-20 10:05:04 198.51.100.7 GET /a 200\r\n',
        'utf16le',
      ),
      [{ client: '198.51.100.7', path: '/a', status: 200 }],
    ],
    [
      'IIS with a byte order mark',
      '\ufeff#Fields: date time c-ip cs-method cs-uri-stem sc-status\r\n2026-11-20 10:05:04 198.51.100.7 GET /a 200\r\n',
      [{ client: '198.51.100.7' }],
    ],
  ]),
  ...cases('10 two requests in a line', [
    ['a lost line feed', `${LINE}${LINE}`, [], 1],
    ['a blank', `${LINE} ${LINE}`, [], 1],
    ['behind the common format', `198.51.100.7 - - ${AT} "GET /a HTTP/1.1" 200 512 ${LINE}`, [], 1],
    ['directly behind the common format', `198.51.100.7 - - ${AT} "GET /a HTTP/1.1" 200 512${LINE}`, [], 1],
    ['behind half a path', `198.51.100.8 - - ${AT} "GET /half${LINE}`, [], 1],
    ['behind half a user agent', `${LINE.slice(0, -20)}${LINE}`, [], 1],
    ['behind half an address', `198.51.1${LINE}`, [], 1],
    ['a zero', `${LINE}\0${LINE}\0`, [VISIT, VISIT]],
    ['a bare carriage return', `${LINE}\r${LINE}\r`, [VISIT, VISIT]],
    ['a log that was truncated', `${'\0'.repeat(5_000)}${LINE}\n${LINE}\n`, [VISIT, VISIT]],
    ['CRLF', `${LINE}\r\n${LINE}\r\n`, [VISIT, VISIT]],
    ['two objects', `${json(NGINX)}${json(NGINX)}`, [], 1],
    ['a line behind an object', `${json(NGINX)}${LINE}`, [], 1],
    [
      'what a visitor is called looks like a time',
      `198.51.100.7 - - ${AT} "GET /a HTTP/1.1" 200 512 "-" "x ${AT} \\"GET / HTTP/1.1\\""`,
      [{ ...VISIT, userAgent: `x ${AT} "GET / HTTP/1.1"` }],
    ],
    [
      'Envoy',
      `[2026-11-20T10:05:04.210Z] "GET /a HTTP/1.1" 200 - 0 512 12 11 "198.51.100.7" "${AGENT}" "1" "shop.example" "10.0.0.9:80"[2026-11-20T10:05:04.210Z] "GET /b HTTP/1.1" 200 - 0 512 12 11 "198.51.100.8" "${AGENT}" "1" "shop.example" "10.0.0.9:80"`,
      [],
      1,
    ],
  ]),
  ...cases('11 other than requests', [
    ...[
      '- - HTTP/1.0',
      '-',
      '',
      '\\x16\\x03\\x01\\x02\\x00\\x01\\x00',
      '\\x16\\x03 \\x01 HTTP/1.1',
      'PRI * HTTP/2.0',
      'OPTIONS rtsp://198.51.100.1/ RTSP/1.0',
      'OPTIONS / RTSP/1.0',
      'DESCRIBE /live RTSP/1.0',
      'OPTIONS sip:nm SIP/2.0',
      'REGISTER /x SIP/2.0',
      'SSH-2.0-Go',
      'SSH-2.0-OpenSSH_9.0 Debian-1',
      'GET',
      'GET  HTTP/1.1',
      'HELP',
      'EHLO example.com',
      'MGLNDD_198.51.100.1_80\\n',
      't3 12.1.2\\n',
      '{\\"id\\":1,\\"method\\":\\"mining.subscribe\\"}',
      'GET foo HTTP/1.1',
      'GET ftp://a.example/ HTTP/1.1',
      '$ / HTTP/1.1',
      'quit',
      '\\x05\\x01\\x00',
      '\\x03\\x00\\x00/*\\xE0\\x00',
    ].map((request): [string, string, LogCase['visits'], number] => [
      request,
      `198.51.100.7 - - ${AT} "${request}" 400 0 "-" "-"`,
      [],
      1,
    ]),
    ...['- - HTTP/1.0', '-', '\u0016\u0003\u0001', 'PRI * HTTP/2.0', 'OPTIONS rtsp://198.51.100.1/ RTSP/1.0'].map(
      (request): [string, string, LogCase['visits'], number] => [
        `JSON: ${request}`,
        json({ ...without(NGINX, 'request_method', 'request_uri'), request }),
        [],
        1,
      ],
    ),
    ['PRI in JSON', json({ ...NGINX, request_method: 'PRI', request_uri: '*' }), [], 1],
    ...(
      [
        ['OPTIONS * HTTP/1.1', 'OPTIONS', '*'],
        ['CONNECT a.example:443 HTTP/1.1', 'CONNECT', 'a.example:443'],
        ['GET http://a.example/b HTTP/1.1', 'GET', '/b'],
        ['GET /old', 'GET', '/old'],
        ['GET /a b HTTP/1.1', 'GET', '/a b'],
        ['PROPFIND /dav HTTP/1.1', 'PROPFIND', '/dav'],
        ['GET /rtsp://x RTSP/1.0 HTTP/1.1', 'GET', '/rtsp://x RTSP/1.0'],
      ] as const
    ).map(([request, method, path]): [string, string, LogCase['visits']] => [
      request,
      `198.51.100.7 - - ${AT} "${request}" 200 512 "-" "${AGENT}"`,
      [{ client: '198.51.100.7', method, path }],
    ]),
  ]),
  ...cases('13 wrapped lines', [
    ['json-file of Docker', json({ log: `${LINE}\n`, stream: 'stdout', time: '2026-11-20T10:05:04.2Z' }), [VISIT]],
    [
      'json-file of Docker, JSON',
      json({ log: `${json(NGINX)}\n`, stream: 'stdout', time: '2026-11-20T10:05:04.2Z' }),
      [VISIT],
    ],
    [
      'json-file of Docker, other alphabets',
      json({ log: `${LINE.replace('GPTBot', 'Тест')}\n`, stream: 'stdout' }),
      [{ ...VISIT, userAgent: AGENT.replace('GPTBot', 'Тест') }],
    ],
    [
      'json-file of Docker in parts',
      [LINE.replace('/a', `/${'a'.repeat(20_000)}`)]
        .flatMap((line) => [line.slice(0, 16_384), `${line.slice(16_384)}\n`])
        .map((log) => json({ log, stream: 'stdout', time: '2026-11-20T10:05:04.2Z' }))
        .join('\n'),
      [],
      1,
    ],
    [
      'json-file of Docker in parts that can be read',
      [LINE.replace(AGENT, 'a'.repeat(20_000))]
        .flatMap((line) => [line.slice(0, 16_384), `${line.slice(16_384)}\n`])
        .map((log) => json({ log, stream: 'stdout', time: '2026-11-20T10:05:04.2Z' }))
        .join('\n'),
      [{ ...VISIT, userAgent: 'a'.repeat(20_000) }],
    ],
    ...[
      'message',
      'log',
      'line',
      'msg',
      'MESSAGE',
      'textPayload',
      'short_message',
      '@message',
      '_raw',
      'body',
      'event',
    ].map((key): [string, string, LogCase['visits']] => [
      key,
      json({ [key]: LINE, host: 'web-1', level: 'info' }),
      [VISIT],
    ]),
    ['an object in message', json({ message: NGINX, host: 'web-1' }), [VISIT]],
    ['jsonPayload of Google Cloud', json({ insertId: 'a', jsonPayload: NGINX, timestamp: TIME }), [VISIT]],
    ['event.original', json({ '@timestamp': TIME, event: { original: LINE } }), [VISIT]],
    ['JSON in JSON in JSON', json({ message: json({ log: json({ line: LINE }) }) }), [VISIT]],
    ['bytes of journald', json({ MESSAGE: [...Buffer.from(LINE)], _PID: '1' }), [VISIT]],
    [
      'journald',
      json({ MESSAGE: LINE, _HOSTNAME: 'web-1', SYSLOG_IDENTIFIER: 'nginx', __REALTIME_TIMESTAMP: '1795169104210102' }),
      [VISIT],
    ],
    [
      'CRI in log',
      json({ log: `2026-11-20T10:05:04.2Z stdout F ${LINE}`, kubernetes: { pod_name: 'nginx' } }),
      [VISIT],
    ],
    [
      "parts of Fluent Bit's parser for CRI",
      `${json({ time: TIME, stream: 'stdout', logtag: 'P', log: LINE.slice(0, 60) })}\n${json({ time: TIME, stream: 'stdout', logtag: 'F', log: LINE.slice(60) })}`,
      [VISIT],
    ],
    ['syslog in message', json({ message: `<190>Nov 20 10:05:04 web nginx: ${LINE}`, source_type: 'socket' }), [VISIT]],
    ['behind a prefix', `web-1  | ${json({ message: LINE })}`, [VISIT]],
    ['a text in JSON', json(LINE), [VISIT]],
    ['an application that logs something else', json({ message: 'started', time: TIME }), [], 1],
  ]),
  ...cases('14 servers and collectors', [
    ['OpenLiteSpeed', `"${LINE}"\n"${LINE}"`, [VISIT, VISIT]],
    ['OpenLiteSpeed, common', `"198.51.100.7 - - ${AT} "GET /a HTTP/2" 200 512"`, [{ ...VISIT, userAgent: null }]],
    [
      'OpenLiteSpeed with a virtual host',
      `"shop.example 198.51.100.7 - - ${AT} "GET /a HTTP/2" 200 512"`,
      [{ ...VISIT, userAgent: null, host: 'shop.example' }],
    ],
    ["OpenLiteSpeed, the server's log", `["shop.example"] ${LINE}`, [{ ...VISIT, host: 'shop.example' }]],
    ['OpenLiteSpeed, HTTP/3', `"${LINE.replace('HTTP/1.1', 'HTTP/3')}"`, [VISIT]],
    ...(
      [
        ['Foo/1.0+(+https://foo.example)', 'Foo/1.0 (+https://foo.example)'],
        [
          'Mozilla/5.0+(compatible;+GPTBot/1.2;++https://openai.com/gptbot)',
          'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)',
        ],
        ['Foo/1.0+[+https://foo.example]', 'Foo/1.0 [+https://foo.example]'],
        ['+https://foo.example', '+https://foo.example'],
        ['Foo+Bar', 'Foo Bar'],
      ] as const
    ).map(([written, userAgent]): [string, string, LogCase['visits']] => [
      `IIS: ${written}`,
      `#Fields: date time c-ip cs-method cs-uri-stem cs(User-Agent) sc-status\n2026-11-20 10:05:04 198.51.100.7 GET /a ${written} 200`,
      [{ client: '198.51.100.7', path: '/a', userAgent }],
    ]),
    [
      '(null) of Fastly and Varnish',
      `198.51.100.7 - - ${AT} "GET /a HTTP/1.1" 200 512 "(null)" "(null)"`,
      [{ ...VISIT, referer: null, userAgent: null }],
    ],
    [
      '(null) in JSON of Fastly',
      json({
        timestamp: TIME,
        client_ip: '198.51.100.7',
        request_method: 'GET',
        url: '/a',
        host: 'shop.example',
        request_user_agent: '(null)',
        request_referer: '(null)',
        response_status: 200,
      }),
      [{ client: '198.51.100.7', userAgent: null, referer: null }],
    ],
    ['rsyslog, a repeated message', `Nov 20 10:05:04 web nginx: message repeated 3 times: [ ${LINE}]`, [VISIT]],
    [
      "Vector's parse_apache_log",
      json({
        host: '198.51.100.7',
        identity: null,
        user: 'frank',
        timestamp: TIME,
        method: 'GET',
        path: '/a',
        protocol: 'HTTP/1.1',
        status: 200,
        size: 512,
        agent: AGENT,
        referrer: 'https://a.example/',
      }),
      [{ ...VISIT, referer: 'https://a.example/' }],
    ],
    [
      "Vector's parse_nginx_log",
      json({
        client: '198.51.100.7',
        timestamp: TIME,
        request: 'GET /a HTTP/1.1',
        method: 'GET',
        path: '/a',
        protocol: 'HTTP/1.1',
        status: 200,
        size: 512,
        agent: AGENT,
        compression: null,
        host: 'web-1',
        source_type: 'file',
        file: '/var/log/nginx/access.log',
      }),
      [VISIT],
    ],
    [
      "Vector's sources",
      json({
        message: LINE,
        host: '192.0.2.50',
        source_type: 'file',
        file: '/var/log/nginx/access.log',
        timestamp: TIME,
      }),
      [VISIT],
    ],
    [
      "Vector's socket",
      json({
        message: LINE,
        host: '192.0.2.50',
        port: 1_234,
        source_type: 'syslog',
        source_ip: '192.0.2.50',
        appname: 'nginx',
        hostname: 'web-1',
        timestamp: TIME,
      }),
      [VISIT],
    ],
    [
      'GELF',
      json({
        version: '1.1',
        host: 'web-1',
        short_message: 'GET /a',
        timestamp: 1_795_169_104,
        _remote_addr: '198.51.100.7',
        _request_method: 'GET',
        _request_uri: '/a',
        _status: 200,
        _body_bytes_sent: 512,
        _http_user_agent: AGENT,
      }),
      [VISIT],
    ],
    [
      'Logplex',
      [LINE, LINE]
        .map((line) => `<190>1 2026-11-20T10:05:04+00:00 host app web.1 - ${line}`)
        .map((message) => `${message.length} ${message}`)
        .join(''),
      [VISIT, VISIT],
    ],
    [
      'Logplex with line feeds',
      [LINE, LINE]
        .map((line) => `<190>1 2026-11-20T10:05:04+00:00 host app web.1 - ${line}\n`)
        .map((message) => `${message.length} ${message}`)
        .join(''),
      [VISIT, VISIT],
    ],
  ]),
];
