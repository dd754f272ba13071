import { parseAddress, parseDuration, parseSince, parseTime, integerParser } from './options.js';

it('parses durations and rejects invalid ones', () => {
  expect(['90', '90s', '5m', '1.5h', '250ms'].map(parseDuration)).toEqual([90_000, 90_000, 300_000, 5_400_000, 250]);
  for (const text of ['', 'soon', '5d', '-1s']) expect(() => parseDuration(text)).toThrow('90s, 5m or 1h');
});

it('parses integers and rejects those out of range', () => {
  const parse = integerParser(1, 10);
  expect([parse('1'), parse('10')]).toEqual([1, 10]);
  for (const text of ['0', '11', '1.5', 'x', '']) expect(() => parse(text)).toThrow('from 1 to 10');
});

it('parses absolute and relative start times', () => {
  const now = Date.parse('2026-11-24T12:00:00Z');
  const times = ['2026-11-21', '2026-11-24T08:00:00Z', '90m', '2d'].map((text) => parseSince(text, undefined, now));
  expect(times.map((time) => new Date(time).toISOString())).toEqual([
    '2026-11-21T00:00:00.000Z',
    '2026-11-24T08:00:00.000Z',
    '2026-11-24T10:30:00.000Z',
    '2026-11-22T12:00:00.000Z',
  ]);
  for (const text of ['', 'soon', '2w']) expect(() => parseSince(text)).toThrow('2h or 7d');
});

it('returns absolute times unchanged and resolves relative ones', () => {
  const now = Date.parse('2026-11-24T12:00:00Z');
  expect(['2026-11-21', '2026-11-24T08:00Z', '2h', '7d'].map((text) => parseTime(text, undefined, now))).toEqual([
    '2026-11-21',
    '2026-11-24T08:00Z',
    '2026-11-24T10:00:00.000Z',
    '2026-11-17T12:00:00.000Z',
  ]);
  expect(() => parseTime('yesterday')).toThrow('2h or 7d');
});

it('parses addresses to listen on', () => {
  expect(['514', '0.0.0.0:5514', '[::1]:5514', 'log.example:1'].map(parseAddress)).toEqual([
    { host: '127.0.0.1', port: 514 },
    { host: '0.0.0.0', port: 5_514 },
    { host: '::1', port: 5_514 },
    { host: 'log.example', port: 1 },
  ]);
  for (const text of ['', 'log.example', '::1:5514', '1.2.3.4:99999']) {
    expect(() => parseAddress(text)).toThrow('such as 127.0.0.1:5514');
  }
});
