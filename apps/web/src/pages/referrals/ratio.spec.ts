import { describeRatio, ratioText } from './ratio.js';

it.each([
  [6_020, 5, '1,204:1'],
  [25, 10, '2.5:1'],
  [5, 5, '1:1'],
  [2, 5, '1:2.5'],
  [1_204, 4, 'too few people'],
  [1, 300, '1:300'],
  [1_204, 0, 'no referrals'],
  [0, 12, 'no pages fetched'],
  [0, 0, 'no referrals'],
])('formats %d pages for %d people as %s', (pages, people, text) => {
  expect(ratioText({ pages_fetched: pages, referrals: people })).toBe(text);
});

it.each([
  [5_579, 312, '18 pages per person'],
  [5, 5, '1 page per person'],
  [373, 4, null],
  [2, 5, '2.5 people per page'],
  [2, 100, '50 people per page'],
  [99, 100, '1 person per page'],
  [1_479, 0, null],
  [0, 12, null],
])('describes %d pages for %d people as %s', (pages, people, text) => {
  const ratio = describeRatio({ pages_fetched: pages, referrals: people });
  expect(ratio && `${ratio.count} per ${ratio.per}`).toBe(text);
});
