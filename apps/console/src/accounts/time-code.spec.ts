import { toSetupUrl, matchTimeStep } from './time-code.js';

/** Test vectors from RFC 6238, appendix B. Six-digit codes are the last six digits of the eight-digit ones. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const VECTORS = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
] as const;

it.each(VECTORS)('accepts the RFC 6238 code for second %d', (second, code) => {
  const step = Math.floor(second / 30);
  expect(matchTimeStep(code.slice(2), SECRET, second * 1_000)).toBe(step);
});

it('accepts codes only from the current, previous and next time steps', () => {
  const [second, code] = [1_111_111_111, '050471'];
  const step = Math.floor(second / 30);
  for (const [steps, found] of [
    [-2, null],
    [-1, step],
    [0, step],
    [1, step],
    [2, null],
  ] as const) {
    expect([steps, matchTimeStep(code, SECRET, (second + steps * 30) * 1_000)]).toEqual([steps, found]);
  }
});

it.each(['', '05047', '0504711', '05047l', '０50471', '050472'])('rejects %p as a code', (text) => {
  expect(matchTimeStep(text, SECRET, 1_111_111_111_000)).toBeNull();
});

it('includes the instance and the account in the otpauth URL', () => {
  const url = new URL(toSetupUrl(SECRET, 'Agent Traffic (visits.example)', 'ada@example.com'));
  expect(decodeURIComponent(url.pathname)).toBe('/Agent Traffic (visits.example):ada@example.com');
  expect([url.protocol, url.host, Object.fromEntries(url.searchParams)]).toEqual([
    'otpauth:',
    'totp',
    {
      secret: SECRET,
      issuer: 'Agent Traffic (visits.example)',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    },
  ]);
});
