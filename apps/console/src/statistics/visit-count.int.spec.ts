import { App, type Json } from '../../../../test/kit/app.js';
import '../../../../test/kit/dispose-all.js';
import { storeVisits, rollUpCounts, type StoredVisit } from '../../../../test/kit/stored-visits.js';
import { withSlowReads } from '../../../../test/kit/visit-store.js';

const NOW = Date.parse('2026-11-21T08:31:05Z');
const GPTBOT = { agent: 'GPTBot', type: 'AI Data Scraper', operator: 'OpenAI' };

let app: App;
beforeAll(async () => {
  app = await App.start({ clock: () => NOW });
});

async function createProject(visits: readonly StoredVisit[] = []): Promise<string> {
  const { body } = await app.api('POST', '/projects', { name: 'Shop' });
  if (visits.length > 0) await storeVisits(app.database.dataSource, body.id, NOW, visits);
  return body.id as string;
}
async function count(id: string, query = ''): Promise<Json> {
  const { status, body } = await app.api('GET', `/projects/${id}/visits/count?${query}`);
  expect([query, status]).toEqual([query, 200]);
  return body;
}

describe('GET /api/projects/{id}/visits/count', () => {
  it('counts small numbers of visits exactly with any filter', async () => {
    const id = await createProject([
      { at: '2026-11-21T08:00:00.001Z', path: '/a?x=1', ...GPTBOT },
      { at: '2026-11-21T07:59Z', path: '/a/b', status: 404, ...GPTBOT },
      { at: '2026-11-20T07:00Z', path: '/a' },
    ]);
    for (const [query, visits] of [
      ['', 3],
      ['agent=gptbot', 2],
      ['not_agent=gptbot', 1],
      ['not_result=unknown_agent', 2],
      ['page=/a', 2],
      ['path=/a/', 1],
      ['status=4xx', 1],
      // Times have millisecond precision, although counts are stored per quarter-hour.
      ['from=2026-11-21T08:00:00.001Z', 1],
      ['from=2026-11-21T08:00:00.002Z', 0],
      ['to=2026-11-21T08:00:00.001Z', 2],
    ] as const) {
      expect([query, await count(id, query)]).toEqual([query, { visits, is_exact: true }]);
    }
  });

  it('estimates large numbers of visits unless ClickHouse counts them', async () => {
    const id = await createProject();
    // Stores 12,400 visits throughout the range. Three in four are by an agent, and every other one requests the page
    // /a.
    for (let batch = 0; batch < 4; batch += 1) {
      const visits = Array.from({ length: 3_100 }, (_, index): StoredVisit => ({
        at: new Date(NOW - 3_600_000 * (batch + 2) + index * 1_000).toISOString(),
        path: index % 2 === 0 ? '/a' : '/b',
        ...(index % 4 !== 0 && GPTBOT),
      }));
      await storeVisits(app.database.dataSource, id, NOW, visits);
    }
    const isExact = process.env['TEST_VISIT_STORE'] === 'clickhouse';
    const estimate = isExact ? { visits: 12_400, is_exact: true } : { visits: 12_000, is_exact: false };
    expect(await count(id)).toEqual(estimate);
    await rollUpCounts(app.database.dataSource, NOW + 86_400_000);
    expect(await count(id)).toEqual(estimate);
    expect(await count(id, 'from=2026-11-20&to=2026-11-22')).toEqual(estimate);
    expect(await count(id, 'agent=GPTBot')).toEqual({ visits: 9_300, is_exact: true });
    expect(await count(id, 'not_agent=ClaudeBot')).toEqual(estimate);
    expect(await count(id, 'path=/')).toEqual(isExact ? estimate : { visits: 10_000, is_exact: false });
    expect(await count(id, 'from=2026-11-21T04:30Z')).toEqual({ visits: 9_300, is_exact: true });
  });

  it('returns null if reading the visits takes too long', async () => {
    const id = await createProject([{ at: '2026-11-21T08:00Z', ...GPTBOT }]);
    await withSlowReads(app.nest, async () => {
      expect(await count(id, 'path=/')).toEqual({ visits: null, is_exact: false });
    });
    expect(await count(id, 'path=/')).toEqual({ visits: 1, is_exact: true });
  });

  it('returns 404 for a nonexistent project', async () => {
    const { status } = await app.api('GET', '/projects/019a9a7f-0000-7000-8000-000000000000/visits/count');
    expect(status).toBe(404);
  });
});
