import { formatTime, formatLocalTime, getDateLocale } from './time.js';

it.each([
  ['en-GB', 'en-GB'],
  ['en-US', 'en-US'],
  ['en', 'en-US'],
  ['de-DE', 'en-US'],
  [undefined, 'en-US'],
])('formats dates for %s as %s', (language, locale) => expect(getDateLocale(language)).toBe(locale));

it('formats hours from 0 to 23', () => {
  const midnight = '2026-11-30T00:05:00Z';
  expect(formatTime(midnight, 'UTC', { dateStyle: 'medium', timeStyle: 'short' })).toBe('Nov 30, 2026, 00:05');
  expect(formatLocalTime(midnight, 'UTC')).toBe('2026-11-30T00:05');
});
