import { ADVISORY_LOCKS } from './advisory-locks.js';

it('assigns a unique key to each lock', () => {
  const keys = Object.values(ADVISORY_LOCKS);
  expect(new Set(keys).size).toBe(keys.length);
});
