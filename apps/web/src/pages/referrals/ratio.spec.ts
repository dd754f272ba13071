import { describeRatio, ratioText } from './ratio.js';

it.each([
  [1_204, 1, '1,204:1'],
  [2_500, 2, '1,250:1'],
  [5, 2, '2.5:1'],
  [3, 3, '1:1'],
  [2, 5, '1:2.5'],
  [1, 300, '1:300'],
  [1_204, 0, 'no referrals'],
  [0, 12, 'no pages fetched'],
  [0, 0, 'no referrals'],
])('formats %d pages for %d people as %s', (pages, people, text) => {
  expect(ratioText(pages, people)).toBe(text);
});

it.each([
  [5_579, 312, '18 pages per person'],
  [3, 3, '1 page per person'],
  [2, 5, '2.5 people per page'],
  [1_479, 0, 'no referrals'],
])('describes %d pages for %d people as %s', (pages, people, text) => {
  expect(describeRatio(pages, people)).toBe(text);
});
