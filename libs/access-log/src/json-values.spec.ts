import {
  toAddress,
  getHeader,
  toHeaders,
  toIsoTime,
  toMilliseconds,
  toNumber,
  decodePercent,
  toText,
} from './json-values.js';

it.each([
  [1_795_487_722.523, '2026-11-24T02:35:22.523Z'],
  ['1795487722.523', '2026-11-24T02:35:22.523Z'],
  [1_795_487_722_523, '2026-11-24T02:35:22.523Z'],
  ['1795487722523000', '2026-11-24T02:35:22.523Z'],
  [1_795_487_722_523_000_000, '2026-11-24T02:35:22.523Z'],
  ['2026-11-24T02:35:22Z', '2026-11-24T02:35:22.000Z'],
  ['2026-11-24T02:35:22.9', '2026-11-24T02:35:22.900Z'],
  ['2026/11/24 03:35:22.523999 +01', '2026-11-24T02:35:22.523Z'],
  ['2026-11-24T03:35:22+0100', '2026-11-24T02:35:22.000Z'],
  ['2026-11-24 02:35:22.523 UTC', '2026-11-24T02:35:22.523Z'],
  ['24/Nov/2026:03:35:22 +0100', '2026-11-24T02:35:22.000Z'],
  ['[24/Nov/2026:02:35:22 +0000]', '2026-11-24T02:35:22.000Z'],
  ['2026-02-30T02:35:22Z', null],
  ['2026-11-24T25:35:22Z', null],
  ['24/Nov/2026', null],
  ['', null],
  [null, null],
  [{}, null],
  [NaN, null],
  [-1e20, null],
])('reads the time %j as %j', (value, expected) => expect(toIsoTime(value)).toBe(expected));

it.each([
  [0.002_020_564, 's', 2.021],
  ['0.012', 's', 12],
  ['12', 'ms', 12],
  [812, 'us', 0.812],
  [15_300_000, 'ns', 15.3],
  ['0.018224s', 's', 18.224],
  ['1m3.5s', 's', 63_500],
  ['2h3m', 's', 7_380_000],
  ['1.5\u03bcs', 's', 0.002],
  ['1m3', 's', undefined],
  ['85µs', 's', 0.085],
  ['-', 's', undefined],
  [-1, 'ms', undefined],
  ['1,2', 's', undefined],
  [Infinity, 'ms', undefined],
  [null, 'ms', undefined],
] as const)('reads the duration %j in %s as %j ms', (value, unit, expected) => {
  expect(toMilliseconds(value, unit)).toBe(expected);
});

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['192.0.2.7:443', '192.0.2.7'],
  ['[2001:db8::7]:443', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['2001:db8::7', '2001:db8::7'],
  ['unix:', 'unix:'],
  ['192.0.2.700', undefined],
  ['192.0.2.7:', undefined],
  ['[somewhere]:443', undefined],
  ['', undefined],
  [7, undefined],
])('reads the address %j as %j', (value, expected) => expect(toAddress(value)).toBe(expected));

it('reads headers from an object or a list of name-value pairs', () => {
  const expected = { 'user-agent': 'GPTBot/1.2', 'x-forwarded-for': '192.0.2.1, 192.0.2.2' };
  expect(toHeaders({ 'User-Agent': 'GPTBot/1.2', 'X-Forwarded-For': ['192.0.2.1', '192.0.2.2'], x: 7, y: [] })).toEqual(
    expected,
  );
  const list = [
    { name: 'User-Agent', value: 'GPTBot/1.2' },
    { name: 'X-Forwarded-For', value: '192.0.2.1' },
    { name: 'x-forwarded-for', value: '192.0.2.2' },
    { value: 'nameless' },
    null,
  ];
  expect(toHeaders(list)).toEqual(expected);
  expect(toHeaders('none')).toEqual({});
  expect(toHeaders(JSON.parse('{"__proto__": "x"}'))).toEqual({});
  expect(getHeader({ 'Content-Type': ['text/html'] }, 'content-type')).toBe('text/html');
  expect(getHeader(undefined, 'content-type')).toBeUndefined();
});

it('parses only decimal numbers and decodes only valid percent-encoding', () => {
  expect(['1.5', 2, '1e3', '0x10', ' 1', ''].map(toNumber)).toEqual([1.5, 2, 1_000, undefined, undefined, undefined]);
  expect(decodePercent('%D0%A2%20100% \\x41 %zz')).toBe('Т 100% \\x41 %zz');
});

it('rejects infinite numbers', () => {
  expect([12, JSON.parse('1e999')].map(toText)).toEqual(['12', undefined]);
});
