import { formatRelativeTime } from './relative-time.js';

const NOW = Date.parse('2026-11-23T07:00:00Z');
const DAY_S = 86_400;

it.each([
  [0, 'just now'],
  [-4.9, 'just now'],
  // The server's clock is slightly ahead.
  [7, 'just now'],
  [-12.2, '12 seconds ago'],
  [-59.7, '1 minute ago'],
  [-89, '1 minute ago'],
  [-3_599, '1 hour ago'],
  [-2 * 3_600, '2 hours ago'],
  [-(DAY_S - 1), '1 day ago'],
  // A seven-day invitation right after its creation.
  [7 * DAY_S - 0.3, 'in 7 days'],
  [44 * DAY_S, 'in 44 days'],
  [-60 * DAY_S, '60 days ago'],
  [-61 * DAY_S, '2 months ago'],
  [400 * DAY_S, 'in 13 months'],
  [-730 * DAY_S, '23 months ago'],
  [-731 * DAY_S, '2 years ago'],
  [-4_210 * DAY_S, '11 years ago'],
])('formats %d s from now as %s', (seconds, text) => expect(formatRelativeTime(NOW + seconds * 1_000, NOW)).toBe(text));
