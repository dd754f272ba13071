import { ADVISORY_LOCKS } from './advisory-locks.js';

it('has a key of its own for each purpose', () => {
  const keys = Object.values(ADVISORY_LOCKS);
  expect(new Set(keys).size).toBe(keys.length);
});
