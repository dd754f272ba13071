import { formatClockTime } from './clock-time.js';

const NOW = Date.parse('2026-01-01T00:30:00Z');

it.each([
  ['2026-01-01T00:10:05Z', 'UTC', '00:10:05'],
  ['2026-01-01T00:10:05Z', 'America/New_York', '19:10:05'],
  ['2025-12-31T23:10:05Z', 'Europe/Berlin', '00:10:05'],
  ['2025-12-31T23:10:05Z', 'UTC', 'Dec 31, 2025, 23:10:05'],
  ['2025-12-30T23:10:05Z', 'America/New_York', 'Dec 30, 18:10:05'],
])('formats %s in %s as %s', (time, timeZone, text) => expect(formatClockTime(time, timeZone, NOW)).toBe(text));
