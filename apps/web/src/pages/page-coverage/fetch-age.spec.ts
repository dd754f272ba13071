import { findFetchAge, formatFetchAge } from './fetch-age.js';

const NOW = Date.parse('2026-11-30T12:00:00Z');

it.each([
  ['2026-11-30T11:00:00Z', 'day', '< 1 d'],
  ['2026-11-28T12:00:00Z', 'week', '2 d'],
  ['2026-11-01T12:00:00Z', 'month', '29 d'],
  ['2026-01-01T12:00:00Z', 'older', '333 d'],
])('describes the age of %s', (time, age, text) => {
  expect([findFetchAge(time, NOW).age, formatFetchAge(time, NOW)]).toEqual([age, text]);
});
