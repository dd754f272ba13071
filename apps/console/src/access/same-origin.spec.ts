import type { FastifyRequest } from 'fastify';
import { requireSameOrigin } from './same-origin.js';

const passes = (headers: Record<string, string>, { method = 'POST', isStrict = true } = {}): boolean => {
  const request = { method, headers: { host: 'visits.example:3000', ...headers } } as unknown as FastifyRequest;
  try {
    requireSameOrigin(request, { publicUrl: 'https://public.example', isStrict });
    return true;
  } catch {
    return false;
  }
};

it.each<[Record<string, string>, boolean]>([
  [{ 'sec-fetch-site': 'same-origin' }, true],
  [{ 'sec-fetch-site': 'same-site' }, false],
  [{ 'sec-fetch-site': 'cross-site' }, false],
  [{ 'sec-fetch-site': 'none' }, false],
  [{ origin: 'http://visits.example:3000' }, true],
  [{ origin: 'https://public.example' }, true],
  [{ origin: 'https://public.example', 'sec-fetch-site': 'cross-site' }, false],
  [{ origin: 'http://visits.example' }, false],
  [{ origin: 'http://public.example' }, false],
  [{ origin: 'https://evil.example' }, false],
  [{ origin: 'null' }, false],
  [{}, false],
])('checks the origin in the headers %j (allowed: %s)', (headers, expected) => {
  expect(passes(headers)).toBe(expected);
});

it('allows safe methods, and requests without an origin if not strict', () => {
  expect(passes({ 'sec-fetch-site': 'cross-site' }, { method: 'GET' })).toBe(true);
  expect(passes({}, { isStrict: false })).toBe(true);
  expect(passes({ origin: 'https://evil.example' }, { isStrict: false })).toBe(false);
});
