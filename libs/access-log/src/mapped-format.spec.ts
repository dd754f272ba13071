import type { Entry } from './formats/log-format.js';
import { LogParser } from './log-parser.js';
import { mappedFormat, readMapping } from './mapped-format.js';

const parseMapping = (...pairs: string[]) => readMapping(pairs);
const ENTRY: Entry = {
  at: 1_795_487_722_523,
  peer: { address: '192.0.2.7:41342' },
  'http.request.method': 'POST',
  http: { target: '/tea', query: 'cups=2' },
  code: '201',
  took: '15300000',
  agent: 'GPTBot/1.2',
  sig: ['sig1=:aa==:'],
};
const PAIRS = [
  'time=at',
  'client=peer.address',
  'method=http.request.method',
  'path=http.target',
  'query=http.query',
  'status=code',
  'duration_ns=took',
  'user_agent=agent',
  'header.Signature=sig',
  'header.X-Trace=nowhere',
];

function read(entry: Entry, pairs = PAIRS) {
  const result = readMapping(pairs);
  if ('faults' in result) throw new Error(result.faults.join('; '));
  return mappedFormat(result.mapping).read(entry);
}

it('reads nested and flat keys', () => {
  expect(read(ENTRY)).toEqual({
    line: {
      time: '2026-11-24T02:35:22.523Z',
      client: '192.0.2.7',
      method: 'POST',
      path: '/tea?cups=2',
      status: 201,
      durationInMilliseconds: 15.3,
      userAgent: 'GPTBot/1.2',
      headers: { signature: 'sig1=:aa==:' },
    },
  });
});

it('defaults to GET and milliseconds and splits full URLs', () => {
  const entry = { t: '2026-11-24 02:35:22', ip: '2001:db8::7', url: 'https://shop.example:443/a?b', ms: 1.5 };
  expect(read(entry, ['time=t', 'client=ip', 'path=url', 'duration=ms'])).toEqual({
    line: {
      time: '2026-11-24T02:35:22.000Z',
      client: '2001:db8::7',
      method: 'GET',
      path: '/a?b',
      host: 'shop.example',
      durationInMilliseconds: 1.5,
    },
  });
});

it.each([
  [{ ...ENTRY, peer: {} }, 'no client address at "peer.address"'],
  [{ ...ENTRY, at: 'noon' }, 'no valid time at "at"'],
  [{ ...ENTRY, http: 'tea' }, 'no path at "http.target"'],
  [{ ...ENTRY, peer: { address: 'somebody' } }, 'no client address: "somebody"'],
  [{ ...ENTRY, 'http.request.method': 'NO WAY' }, 'no HTTP method: "NO WAY"'],
])('explains which field is missing or invalid in %j', (entry, reason) => expect(read(entry)).toEqual({ reason }));

it('reports all faults in a mapping', () => {
  expect(
    parseMapping('path', 'when=at', 'time=', 'client=a', 'client=b', 'duration_min=x', 'header.a=1', 'header.A=2'),
  ).toEqual({
    faults: [
      '"path" must have the form field=key, such as path=request.uri',
      expect.stringContaining('unknown field "when": use time, client, '),
      'the key is missing in "time=": use time=key',
      'client is mapped twice',
      'unknown duration unit "min": use duration_s, duration_ms, duration_us or duration_ns',
      'header.A is mapped twice',
      expect.stringContaining('time is missing: time of the request'),
      expect.stringContaining('path is missing: '),
    ],
  });
  expect(parseMapping('__proto__=a', 'time=a', 'client=b', 'path=c')).toEqual({
    faults: [expect.stringContaining('unknown field "__proto__"')],
  });
});

it('supports signature verification only if the signature headers are mapped', () => {
  const mapping = { time: 'at', client: 'ip', path: 'url' };
  expect(mappedFormat(mapping).verifiedBy).toBe('addresses');
  expect(mappedFormat({ ...mapping, headers: 'h' }).verifiedBy).toBe('addresses and signatures');
  expect(mappedFormat({ ...mapping, header: { signature: 's' } }).verifiedBy).toBe('addresses and signatures');
});

it('reads JSON lines with a prefix', () => {
  const format = mappedFormat({ time: 't', client: 'ip', path: 'url' });
  const line = '<190>Nov 24 02:35:22 web app: {"t":1795487722,"ip":"192.0.2.7","url":"/"}';
  expect(new LogParser(format).read(line)).toMatchObject({ line: { path: '/' } });
});
