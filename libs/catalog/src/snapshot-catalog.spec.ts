import { createCatalog } from './catalog.js';
import { createSnapshotCatalog } from './snapshot-catalog.js';

const NOW = Date.parse('2026-11-30T12:00:00Z');
const getFetchTime = (fetchedAt: string, now = NOW) => {
  const list = { url: 'https://example.com/ranges', ranges: [], fetchedAt: Date.parse(fetchedAt), changedAt: 0 };
  const { lists } = createSnapshotCatalog(
    createCatalog({ agents: [], proxies: [], lists: [list] }),
    new Map(),
    false,
    now,
  );
  return new Date(lists[0]!.fetchedAt).toISOString();
};

it('changes at most once a day if unchanged lists are fetched', () => {
  expect(getFetchTime('2026-11-30T11:59:00Z')).toBe('2026-11-29T00:00:00.000Z');
  expect(getFetchTime('2026-11-29T13:00:00Z')).toBe('2026-11-29T00:00:00.000Z');
});

it('never dates a list after its fetch', () => {
  expect(getFetchTime('2026-11-24T18:00:00Z')).toBe('2026-11-24T00:00:00.000Z');
});
