import { MAX_ATTEMPTS, retryAfterSeconds, retryDelayMs } from './retry-schedule.js';

const NOW = Date.parse('2026-11-20T09:00:00Z');

it('schedules ten delivery attempts over three days, with jitter', () => {
  const delays = Array.from({ length: MAX_ATTEMPTS }, (_, index) => retryDelayMs(index + 1, null, 0));
  expect(delays.map((delay) => delay && delay / 1_000)).toEqual([
    5,
    300,
    1_800,
    7_200,
    18_000,
    36_000,
    50_400,
    72_000,
    86_400,
    null,
  ]);
  expect(retryDelayMs(2, null, 1)).toBe(330_000);
});

it('honors Retry-After up to one day, but never retries ahead of schedule', () => {
  expect(retryDelayMs(1, 60, 0)).toBe(60_000);
  expect(retryDelayMs(2, 60, 0)).toBe(300_000);
  expect(retryDelayMs(1, 1e9, 0)).toBe(86_400_000);
  expect(retryDelayMs(MAX_ATTEMPTS, 60, 0)).toBeNull();
});

it.each([
  ['120', 120],
  ['0.5', 0.5],
  ['Fri, 20 Nov 2026 09:02:00 GMT', 120],
  ['Fri, 20 Nov 2026 08:00:00 GMT', 0],
  ['soon', null],
  [undefined, null],
])('parses a Retry-After header of %s', (header, seconds) => expect(retryAfterSeconds(header, NOW)).toBe(seconds));
