import { countPending, countReactions, formatSums, hasNeverPaid, listNames, selectReturns } from './payment-counts.js';

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

it('separates visits from the same address from others in its network', () => {
  const returns = [
    { address_visits: 1, network_visits: 4, visit_ids: ['a', 'b', 'c'] },
    { address_visits: 5, network_visits: 5, visit_ids: ['d', 'e', 'f'] },
    { address_visits: 0, network_visits: 2, visit_ids: ['g', 'h'] },
  ];
  const select = (place: 'address' | 'network') =>
    selectReturns(returns, place).map(({ visits, visit_ids: ids }) => `${visits}: ${ids.join('')}`);
  expect(select('address')).toEqual(['1: a', '5: def']);
  expect(select('network')).toEqual(['3: bc', '2: gh']);
});

it.each([
  [
    [
      { currency: 'USD', amount: '0.75' },
      { currency: 'USDC', amount: '0.51' },
    ],
    0,
    '$0.75 and 0.51 USDC',
  ],
  [[{ currency: 'USDC', amount: '0.51' }], 0, '0.51 USDC'],
  [
    [
      { currency: 'EUR', amount: '1' },
      { currency: 'USDC', amount: '0.5' },
    ],
    2,
    '€1.00, 0.50 USDC, and 2 without a price',
  ],
])('lists the sum of each currency: %j', (sums, withoutAmount, text) =>
  expect(
    formatSums(
      sums.map((sum) => ({ ...sum, visits: 1 })),
      withoutAmount,
    ),
  ).toBe(text),
);

it.each([
  [{ walked_away: 1 }, true],
  [{ failed: 1 }, true],
  [{ failed: 1, unasked: { failed: 1 } }, false],
  [{}, false],
  [{ walked_away: 1, paid: 1 }, false],
  [{ walked_away: 1, licensed: 1 }, false],
  [{ walked_away: 1, is_spoofed: true }, false],
])('finds agents that never paid, unless their only request is pending: %j', (counts, expected) => {
  const pending = { asked: 2, walked_away: 0, paid: 0, licensed: 0, failed: 0, unasked: { failed: 0 } };
  expect(hasNeverPaid({ ...pending, is_spoofed: false, ...counts } as never)).toBe(expected);
});

it('lists the first names and counts the others', () => {
  const agents = ['A', 'B', 'C', 'D', 'E'].map((name) => ({ agent_id: name, agent_token: name, is_spoofed: false }));
  expect([agents.slice(0, 4), agents].map((some) => listNames(some))).toEqual([
    'A, B, C, and D',
    'A, B, C, and 2 others',
  ]);
});
