import { formatCrawlRatio, getCrawlRatio, sumForCrawlRatio } from './crawl-ratio.js';

it('leaves out search engines and operators that sent no one', () => {
  const operators = [
    { pages_fetched: 5_400, referrals: 300, is_search_engine: false },
    { pages_fetched: 12, referrals: 4, is_search_engine: false },
    { pages_fetched: 822, referrals: 0, is_search_engine: false },
    { pages_fetched: 9_000, referrals: 90, is_search_engine: true },
  ];
  expect(sumForCrawlRatio(operators)).toEqual({ pages_fetched: 5_412, referrals: 304 });
});

it.each([
  [6_020, 5, '1,204'],
  [5_579, 312, '18'],
  [95, 10, '9.5'],
  [5, 5, '1'],
  [2, 5, '0.4'],
  [1_204, 4, null],
  [0, 12, null],
])('formats %d pages for %d people as %s', (pages, people, text) => {
  const ratio = getCrawlRatio({ pages_fetched: pages, referrals: people });
  expect(ratio === null ? null : formatCrawlRatio(ratio)).toBe(text);
});
