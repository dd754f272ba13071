import { formatTimeSpan } from './time-span.js';

it.each([
  [15, '15 minutes'],
  [60, 'an hour'],
  [105, '105 minutes'],
  [120, '2 hours'],
  [1_440, '24 hours'],
  [2_880, '2 days'],
  [3_000, '50 hours'],
  [10_080, '7 days'],
])('formats %i minutes as %s', (minutes, text) => expect(formatTimeSpan(minutes)).toBe(text));
