import { SharedPass } from './shared-pass.js';

let now = 0;
const passes = new SharedPass('a secret', () => now);
const link = { id: 'one', password: 'hash' };
const HOUR_MS = 3_600_000;

beforeEach(() => {
  now = 0;
});

it('accepts a pass only for the same link, password and secret, and only until it expires', () => {
  const { pass, expires_at: expiresAt } = passes.issue(link);
  expect([passes.isValid(pass, link), expiresAt]).toEqual([true, '1970-01-01T12:00:00.000Z']);
  expect(passes.isValid(pass, { ...link, id: 'another' })).toBe(false);
  expect(passes.isValid(pass, { ...link, password: 'another' })).toBe(false);
  expect(new SharedPass('another secret', () => now).isValid(pass, link)).toBe(false);
  now = 12 * HOUR_MS;
  expect(passes.isValid(pass, link)).toBe(false);
});

it.each(['', '.', 'x', '9999999999999', '9999999999999.', 'NaN.x', 'Infinity.x'])(
  'rejects the forged pass %j',
  (pass) => {
    expect(passes.isValid(pass, link)).toBe(false);
  },
);

it('rejects a pass with a changed expiry', () => {
  const { pass } = passes.issue(link);
  expect(passes.isValid(`9999999999999.${pass.split('.')[1]}`, link)).toBe(false);
});
