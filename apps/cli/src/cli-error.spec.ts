import { ConnectionError, HttpError, isTransient, parseRetryAfter } from './cli-error.js';

it('parses Retry-After as seconds or a date', () => {
  const now = Date.parse('2026-11-21T08:30:00Z');
  expect(parseRetryAfter('120', now)).toBe(120_000);
  expect(parseRetryAfter('Sat, 21 Nov 2026 08:31:00 GMT', now)).toBe(60_000);
  expect(parseRetryAfter('Sat, 21 Nov 2026 08:00:00 GMT', now)).toBe(0);
  expect([parseRetryAfter(null), parseRetryAfter(''), parseRetryAfter('soon')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it('identifies errors that are worth a retry', () => {
  const http = (status: number): boolean => isTransient(new HttpError(status, {}, 'x'));
  expect([429, 503, 500, 502, 409].map(http)).toEqual([true, true, true, true, true]);
  expect([400, 401, 403, 404, 413, 422].map(http)).toEqual([false, false, false, false, false, false]);
  expect(isTransient(new ConnectionError('x'))).toBe(true);
  expect(isTransient(new TypeError('x'))).toBe(false);
});
