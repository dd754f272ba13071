import { findFetchAge, formatFetchAge } from './fetch-age.js';

const NOW = Date.parse('2026-11-30T12:00:00Z');

it.each([
  ['2026-11-30T11:00:00Z', 'day', 'today'],
  ['2026-11-28T12:00:00Z', 'week', '2 days ago'],
  ['2026-11-01T12:00:00Z', 'month', '29 days ago'],
  ['2026-01-01T12:00:00Z', 'older', '333 days ago'],
])('describes the age of %s', (time, age, text) => {
  expect([findFetchAge(time, NOW).age, formatFetchAge(time, NOW)]).toEqual([age, text]);
});
