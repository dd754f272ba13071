import { countPending, countReactions } from './payment-counts.js';

it('splits requests to pay into their reactions', () => {
  const counts = {
    asked: 6,
    walked_away: 2,
    paid: 4,
    licensed: 0,
    offered: 0,
    failed: 1,
    unasked: { paid: 2, licensed: 0, offered: 0, failed: 0 },
  } as never;
  expect(countReactions(counts, 'paid')).toBe(2);
  expect(countPending(counts)).toBe(1);
});
