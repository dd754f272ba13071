import type { System } from '../../api/system-queries.js';
import { groupLists } from './list-groups.js';

const createList = (overrides: Partial<System['catalog']['lists'][number]>) => ({
  url: 'https://lists.example/a',
  operators: ['Acme'],
  ranges: 2,
  fetched_at: '2026-11-24T00:00:00Z',
  fault: null,
  next_try_at: '2026-11-25T00:00:00Z',
  ...overrides,
});

it('groups lists by operator or host, failing ones first', () => {
  const groups = groupLists(
    [
      createList({}),
      createList({ url: 'https://lists.example/b', ranges: 3, fetched_at: '2026-11-23T00:00:00Z' }),
      createList({ url: 'https://api.lists.example/c', operators: [], ranges: 4 }),
      createList({ url: 'https://www.proxy.test/list', operators: [], fault: 'x', ranges: null, fetched_at: null }),
    ],
    [],
  );
  expect(groups).toMatchObject([
    { name: 'proxy.test', ranges: null, fetchedAt: null, failing: [expect.anything()] },
    { name: 'Acme', ranges: 9, fetchedAt: '2026-11-23T00:00:00Z', failing: [] },
  ]);
});

it('counts the ranges from the release until all lists of an operator have been fetched', () => {
  const lists = [createList({}), createList({ url: 'https://lists.example/b', ranges: null, fetched_at: null })];
  const bundled = [
    { operator: 'Acme', ranges: 12, as_of: '2026-09-02' },
    { operator: 'Other', ranges: 5, as_of: null },
  ];
  expect(groupLists(lists, bundled)).toMatchObject([{ ranges: 12, bundledAsOf: '2026-09-02', fetchedAt: null }]);
  expect(groupLists(lists.slice(0, 1), bundled)).toMatchObject([{ ranges: 2, bundledAsOf: null }]);
});
