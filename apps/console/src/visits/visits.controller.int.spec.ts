import { App, type Json } from '../../../../test/kit/app.js';
import '../../../../test/kit/dispose-all.js';
import { storeVisits, type StoredVisit } from '../../../../test/kit/stored-visits.js';
import { withSlowReads } from '../../../../test/kit/visit-store.js';

const NOW = Date.parse('2026-11-21T08:31:05Z');
const LONG_PATH = `/${'long'.repeat(40)}`;

let app: App;
let path: string;

beforeAll(async () => {
  app = await App.start({ clock: () => NOW });
  const { id } = (await app.api('POST', '/projects', { name: 'Shop' })).body;
  path = `/projects/${id}/visits`;
  const tool = { mcp_request_tool_name: 'search' };
  const visits: Omit<StoredVisit, 'at'>[] = [
    { path: '/a' },
    { path: '/a%b/c' },
    { path: '/a_b', status: 404 },
    { path: '/axb?q=1', status: 206 },
    { path: `${LONG_PATH}/1`, status: 503 },
    { path: `${LONG_PATH}/2`, extra: tool },
    { path: '/d', agent: 'GPTBot', insights: { robots: { verdict: 'disallowed', version: null, line: 3 } } },
    { path: '/e', agent: 'GPTBot', insights: { robots: { verdict: 'allowed', version: null, line: null } } },
    {
      path: '/f',
      insights: {
        referral: { assistant: 'ChatGPT', operator: 'OpenAI', source: 'referer', value: 'chatgpt.com' },
        automation: { verdict: 'unlikely', signs: [] },
      },
    },
    { path: '/g', insights: { automation: { verdict: 'likely', signs: ['http_library'] } } },
    { path: '/h', insights: { automation: { verdict: 'a later word' as 'likely', signs: [] } } },
  ];
  const at = (index: number): string => new Date(NOW - (visits.length - index) * 1_000).toISOString();
  const stored = visits.map((visit, index) => ({ at: at(index), ...visit }));
  await storeVisits(app.database.dataSource, id, NOW, stored);
});

async function listPaths(query: string): Promise<string[]> {
  const { status, body } = await app.api('GET', `${path}?${query}`);
  expect([query, status]).toEqual([query, 200]);
  return body.visits.map(({ visit }: Json) => visit.request_path.replace(LONG_PATH, 'LONG')).toReversed();
}

describe('GET /api/projects/{id}/visits', () => {
  it.each([
    ['path=/a', ['/a', '/a%b/c', '/a_b', '/axb?q=1']],
    ['path=/a_', ['/a_b']],
    ['path=/a%25', ['/a%b/c']],
    ['path=/axb&path=/a_b&path=/none', ['/a_b', '/axb?q=1']],
    [`path=${LONG_PATH}`, ['LONG/1', 'LONG/2']],
    [`path=${LONG_PATH}/2`, ['LONG/2']],
    ['path=', ['/a', '/a%b/c', '/a_b', '/axb?q=1', 'LONG/1', 'LONG/2', '/d', '/e', '/f', '/g', '/h']],
    ['status=2xx', ['/a', '/a%b/c', '/axb?q=1', 'LONG/2', '/d', '/e', '/f', '/g', '/h']],
    ['status=404&status=5xx', ['/a_b', 'LONG/1']],
    ['mcp_tool=search', ['LONG/2']],
    ['kind=mcp', ['LONG/2']],
    ['robots=disallowed', ['/d']],
    ['robots=allowed&robots=disallowed', ['/d', '/e']],
    ['agent=GPTBot&not_robots=disallowed', ['/e']],
    ['behavior=training', ['/d', '/e']],
    ['behavior=search&behavior=training&not_robots=disallowed', ['/e']],
    ['behavior=monitoring', []],
    ['behavior=training&agent=Googlebot', []],
    ['not_behavior=training&path=/d&path=/e&path=/f', ['/f']],
    ['not_behavior=monitoring&not_agent=GPTBot&path=/d&path=/f', ['/f']],
    ['assistant=ChatGPT', ['/f']],
    ['automation=likely&automation=unclear', ['/g']],
    ['automation=unlikely', ['/f']],
    ['not_automation=likely&path=/f&path=/g&path=/h', ['/f', '/h']],
  ])('finds the visits that match %s', async (query, expected) => {
    expect(await listPaths(query)).toEqual(expected);
  });

  it('filters counts, exports and the overview by behavior', async () => {
    const project = path.replace('/visits', '');
    const from = new Date(NOW - 3_600_000).toISOString();
    const count = await app.api('GET', `${path}/count?behavior=training`);
    expect(count.body).toMatchObject({ visits: 2 });
    const exported = await app.api('GET', `${path}/export?format=ndjson&behavior=training`);
    expect(exported.text.trim().split('\n')).toHaveLength(2);
    const { body: overview } = await app.api('GET', `${project}/overview?from=${from}&behavior=training`);
    expect(overview.current).toMatchObject({ visits: 2, agents: 1 });
    const { body: histogram } = await app.api('GET', `${project}/histogram?behavior=training`);
    const minutes = histogram.minutes as { visits: number }[];
    expect(minutes.reduce((sum, { visits }) => sum + visits, 0)).toBe(2);
    expect((await app.api('GET', `${path}?behavior=nap`)).status).toBe(422);
  });

  it.each(['visits', 'visits/count', 'visits/export', 'overview', 'histogram'])(
    'limits a filter to 50 values for %s',
    async (operation) => {
      const values = (count: number): string => Array.from({ length: count }, (_, i) => `not_page=/${i}`).join('&');
      const requestWith = (count: number) =>
        app.api('GET', `${path.replace('/visits', '')}/${operation}?${values(count)}`);
      expect((await requestWith(50)).status).toBe(200);
      const { status, body } = await requestWith(51);
      const errors = [{ pointer: '/not_page', detail: 'must have 50 values or fewer' }];
      expect([status, body.errors]).toEqual([422, errors]);
    },
  );

  it('paginates in both orders and directions without gaps or repeats while visits arrive', async () => {
    const { id } = (await app.api('POST', '/projects', { name: 'Ordered' })).body;
    const store = (visits: [path: string, second: number][]) =>
      storeVisits(
        app.database.dataSource,
        id,
        NOW,
        // Some visits share a timestamp.
        visits.map(([to, second]) => ({ path: to, at: new Date(NOW - 60_000 + second * 1_000).toISOString() })),
      );
    await store(Array.from({ length: 10 }, (_, index) => [`/${index}`, 10 + Math.floor(index / 3)]));
    const page = async (query: string): Promise<Json> =>
      (await app.api('GET', `/projects/${id}/visits?limit=3&${query}`)).body;
    const getPaths = ({ visits }: Json): string[] => visits.map(({ visit }: Json) => visit.request_path);
    for (const order of ['oldest', 'newest']) {
      const pages: Json[] = [];
      for (let cursor: string | null = ''; cursor !== null; cursor = pages.at(-1).next_cursor) {
        pages.push(await page(`order=${order}&cursor=${cursor}`));
        // The new visit is older than all visits read so far, so later pages don't contain it.
        if (order === 'oldest') await store([[`/late ${pages.length}`, 1]]);
      }
      const readPaths = pages.flatMap(getPaths);
      expect(readPaths.filter((each) => !each.startsWith('/late')).toSorted()).toEqual(
        Array.from({ length: 10 }, (_, index) => `/${index}`),
      );
      expect(new Set(readPaths).size).toBe(readPaths.length);
      const at = pages.flatMap(({ visits }: Json) => visits.map((visit: Json) => visit.occurred_at));
      expect(at).toEqual(order === 'oldest' ? at.toSorted() : at.toSorted().toReversed());

      // Page back from the last page.
      const earlierPaths: string[] = [];
      for (let { previous_cursor: cursor } = pages.at(-1); cursor !== null;) {
        const before = await page(`order=${order}&cursor=${cursor}`);
        if (before.visits.length === 0) break;
        earlierPaths.unshift(...getPaths(before));
        cursor = before.previous_cursor;
      }
      const pathsFromEnd = [...earlierPaths, ...getPaths(pages.at(-1))];
      expect(pathsFromEnd.filter((each) => readPaths.includes(each))).toEqual(readPaths);
    }
    // The newest page's cursor finds newer visits in either order.
    const last = await page('order=oldest&limit=1000');
    expect(last.next_cursor).toBeNull();
    await store([['/new', 50]]);
    const { previous_cursor: cursor } = await page('order=newest&limit=1000');
    await store([['/newer', 51]]);
    expect(getPaths(await page(`order=newest&cursor=${cursor}`))).toEqual(['/newer']);
    expect(getPaths(await page(`order=oldest&cursor=${cursor}`))).toEqual(['/newer']);
    expect((await app.api('GET', `/projects/${id}/visits?order=random`)).status).toBe(422);
  });

  it('returns 504 and suggests a time range if a page takes too long', async () => {
    await withSlowReads(app.nest, async () => {
      const { status, body } = await app.api('GET', `${path}?kind=mcp`);
      expect([status, body.detail]).toEqual([504, expect.stringContaining('from and to')]);
    });
    expect(await listPaths('kind=mcp')).toEqual(['LONG/2']);
  });
});
