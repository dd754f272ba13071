import { mergePages, toFetchedPages } from './pages.js';

const PAGES = [
  { path: '/docs', visits: 5, assistants: [{ assistant: 'ChatGPT', visits: 5 }] },
  { path: '/about', visits: 1, assistants: [{ assistant: 'Claude', visits: 1 }] },
  { path: '', visits: 2, assistants: [] },
];
const ROWS = [
  { value: '/terms', requests: 2 },
  { value: '/docs', requests: 40 },
  { value: '/blog', requests: 9 },
];
const toRows = (maxRows: number) => mergePages(PAGES, toFetchedPages({ rows: ROWS as never }, maxRows));

it('merges people and fetches by page, and adds pages that were only fetched', () => {
  expect(toRows(200).map(({ path, people, fetched }) => [path, people, fetched])).toEqual([
    ['/docs', 5, 40],
    ['/about', 1, 0],
    ['', 2, null],
    ['/blog', 0, 9],
    ['/terms', 0, 2],
  ]);
});

it("doesn't claim that a page wasn't fetched if the report is incomplete or hasn't loaded", () => {
  expect(toRows(3)[1]!.fetched).toBeNull();
  expect(mergePages(PAGES, undefined)[0]!.fetched).toBeNull();
});
