import { isActive } from './is-active.js';

const NOW = Date.parse('2026-11-20T10:00:00Z');

it.each([
  [null, null, true],
  [null, '2026-11-20T10:00:01Z', true],
  [null, '2026-11-20T10:00:00Z', false],
  ['2026-11-19T00:00:00Z', null, false],
  ['2026-11-19T00:00:00Z', '2027-01-01T00:00:00Z', false],
])('checks whether a token revoked at %s and expiring at %s is active (%s)', (revoked, expires, expected) =>
  expect(isActive({ revoked_at: revoked, expires_at: expires }, NOW)).toBe(expected),
);
