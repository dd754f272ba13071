import { describeFetches, type Purpose } from './describe-fetches.js';

const COUNTS: readonly [pages: number, fetches: Partial<Record<Purpose, number>>, sentence: string][] = [
  [77, {}, 'No agent has fetched any of the 77 pages in your sitemaps.'],
  [77, { training: 0, user: 0 }, 'No agent has fetched any of the 77 pages in your sitemaps.'],
  [1, {}, 'No agent has fetched the page in your sitemaps.'],
  [1, { search: 1, other: 0 }, 'The page in your sitemaps was fetched for search.'],
  [77, { search: 1 }, 'Of the 77 pages in your sitemaps, 1 was fetched for search.'],
  [
    77,
    { training: 0, search: 5 },
    'Of the 77 pages in your sitemaps, none were fetched for training and 5 for search.',
  ],
  [
    1_234,
    { training: 1_234, search: 71, user: 57, other: 62 },
    'Of the 1,234 pages in your sitemaps, all were fetched for training, 71 for search, 57 because a person asked, and 62 for other purposes.',
  ],
];

it.each(COUNTS)('describes fetches of %d pages for purposes: %o', (pages, fetches, sentence) => {
  const purposes = Object.entries(fetches).map(([purpose, fetched]) => ({ purpose: purpose as Purpose, fetched }));
  expect(describeFetches(pages, purposes)).toBe(sentence);
});
