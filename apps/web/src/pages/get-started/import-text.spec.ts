import { rangeOf, timeLeftText } from './import-text.js';

it('has the quarters of an hour of all imported visits', () => {
  const times = { first: Date.parse('2026-11-20T10:05:03Z'), last: Date.parse('2026-11-21T23:45:00Z') };
  expect(rangeOf(times)).toEqual({ from: '2026-11-20T10:00:00.000Z', to: '2026-11-22T00:00:00.000Z' });
  expect(rangeOf(null)).toBeNull();
});

it.each([
  [0.2, '1 s'],
  [41.1, '42 s'],
  [185, '4 min'],
  [9_000, '3 h'],
])('%d s are %s', (seconds, text) => expect(timeLeftText(seconds)).toBe(text));
