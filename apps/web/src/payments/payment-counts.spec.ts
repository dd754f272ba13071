import { countPending, countReactions, formatSums } from './payment-counts.js';

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

it.each([
  [
    [
      { currency: 'USD', amount: '0.75' },
      { currency: 'USDC', amount: '0.51' },
    ],
    0,
    '$1.26, including 0.51 USDC',
  ],
  [[{ currency: 'USDC', amount: '0.51' }], 0, '0.51 USDC'],
  [
    [
      { currency: 'EUR', amount: '1' },
      { currency: 'USDC', amount: '0.5' },
    ],
    2,
    '€1.00, 0.50 USDC, 2 without a price',
  ],
])('adds stablecoins to the sum in their currency: %j', (sums, withoutAmount, text) =>
  expect(
    formatSums(
      sums.map((sum) => ({ ...sum, visits: 1 })),
      withoutAmount,
    ),
  ).toBe(text),
);
