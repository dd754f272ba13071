import { countResults } from './minutes.js';

it('splits the visits of a minute by result', () =>
  expect(
    countResults({ time: '2026-12-01T10:00:00.000Z', visits: 10, agents: 7, verified: 4, verification_failed: 1 }),
  ).toEqual({ verified: 4, verification_failed: 1, not_verifiable: 2, unknown_agent: 3 }));
