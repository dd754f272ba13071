import { DataSource } from 'typeorm';
import { App, type Json } from '../../../../test/kit/app.js';
import '../../../../test/kit/dispose-left-overs.js';
import { storeVisits, type StoredVisit } from '../../../../test/kit/stored-visits.js';

const NOW = Date.parse('2026-11-21T08:31:05Z');
const LONG = `/${'long'.repeat(40)}`;

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
    { path: `${LONG}/1`, status: 503 },
    { path: `${LONG}/2`, extra: tool },
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

async function paths(query: string): Promise<string[]> {
  const { status, body } = await app.api('GET', `${path}?${query}`);
  expect([query, status]).toEqual([query, 200]);
  return body.visits.map(({ visit }: Json) => visit.request_path.replace(LONG, 'LONG')).toReversed();
}

describe('GET /api/projects/{id}/visits', () => {
  it.each([
    ['path=/a', ['/a', '/a%b/c', '/a_b', '/axb?q=1']],
    ['path=/a_', ['/a_b']],
    ['path=/a%25', ['/a%b/c']],
    ['path=/axb&path=/a_b&path=/none', ['/a_b', '/axb?q=1']],
    [`path=${LONG}`, ['LONG/1', 'LONG/2']],
    [`path=${LONG}/2`, ['LONG/2']],
    ['path=', ['/a', '/a%b/c', '/a_b', '/axb?q=1', 'LONG/1', 'LONG/2', '/d', '/e', '/f', '/g', '/h']],
    ['status=2xx', ['/a', '/a%b/c', '/axb?q=1', 'LONG/2', '/d', '/e', '/f', '/g', '/h']],
    ['status=404&status=5xx', ['/a_b', 'LONG/1']],
    ['mcp_tool=search', ['LONG/2']],
    ['kind=mcp', ['LONG/2']],
    ['robots=disallowed', ['/d']],
    ['robots=allowed&robots=disallowed', ['/d', '/e']],
    ['agent=GPTBot&not_robots=disallowed', ['/e']],
    ['assistant=ChatGPT', ['/f']],
    ['automation=likely&automation=unclear', ['/g']],
    ['automation=unlikely', ['/f']],
    ['not_automation=likely&path=/f&path=/g&path=/h', ['/f', '/h']],
  ])('finds the visits that match %s', async (query, expected) => {
    expect(await paths(query)).toEqual(expected);
  });

  it.each(['visits', 'visits/count', 'visits/export', 'overview', 'histogram'])(
    'limits a filter to 50 values for %s',
    async (operation) => {
      const values = (count: number): string => Array.from({ length: count }, (_, i) => `not_page=/${i}`).join('&');
      const of = (count: number) => app.api('GET', `${path.replace('/visits', '')}/${operation}?${values(count)}`);
      expect((await of(50)).status).toBe(200);
      const { status, body } = await of(51);
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
        // Some share a timestamp.
        visits.map(([to, second]) => ({ path: to, at: new Date(NOW - 60_000 + second * 1_000).toISOString() })),
      );
    await store(Array.from({ length: 10 }, (_, index) => [`/${index}`, 10 + Math.floor(index / 3)]));
    const page = async (query: string): Promise<Json> =>
      (await app.api('GET', `/projects/${id}/visits?limit=3&${query}`)).body;
    const pathsOf = ({ visits }: Json): string[] => visits.map(({ visit }: Json) => visit.request_path);
    for (const order of ['oldest', 'newest']) {
      const pages: Json[] = [];
      for (let cursor: string | null = ''; cursor !== null; cursor = pages.at(-1).next_cursor) {
        pages.push(await page(`order=${order}&cursor=${cursor}`));
        // Older than all visits read so far, so later pages don't contain them.
        if (order === 'oldest') await store([[`/late ${pages.length}`, 1]]);
      }
      const read = pages.flatMap(pathsOf);
      expect(read.filter((each) => !each.startsWith('/late')).toSorted()).toEqual(
        Array.from({ length: 10 }, (_, index) => `/${index}`),
      );
      expect(new Set(read).size).toBe(read.length);
      const at = pages.flatMap(({ visits }: Json) => visits.map((visit: Json) => visit.occurred_at));
      expect(at).toEqual(order === 'oldest' ? at.toSorted() : at.toSorted().toReversed());

      // Page back from the last page.
      const back: string[] = [];
      for (let { previous_cursor: cursor } = pages.at(-1); cursor !== null;) {
        const before = await page(`order=${order}&cursor=${cursor}`);
        if (before.visits.length === 0) break;
        back.unshift(...pathsOf(before));
        cursor = before.previous_cursor;
      }
      const here = [...back, ...pathsOf(pages.at(-1))];
      expect(here.filter((each) => read.includes(each))).toEqual(read);
    }
    // The newest page's cursor finds newer visits in either order.
    const last = await page('order=oldest&limit=1000');
    expect(last.next_cursor).toBeNull();
    await store([['/new', 50]]);
    const { previous_cursor: cursor } = await page('order=newest&limit=1000');
    await store([['/newer', 51]]);
    expect(pathsOf(await page(`order=newest&cursor=${cursor}`))).toEqual(['/newer']);
    expect(pathsOf(await page(`order=oldest&cursor=${cursor}`))).toEqual(['/newer']);
    expect((await app.api('GET', `/projects/${id}/visits?order=random`)).status).toBe(422);
  });

  it('responds with 504 and suggests a time range if a page takes too long', async () => {
    const runner = app.nest.get(DataSource).createQueryRunner();
    await runner.startTransaction();
    try {
      await runner.query('LOCK TABLE visits IN ACCESS EXCLUSIVE MODE');
      const { status, body } = await app.api('GET', `${path}?kind=mcp`);
      expect([status, body.detail]).toEqual([504, expect.stringContaining('from and to')]);
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
    expect(await paths('kind=mcp')).toEqual(['LONG/2']);
  });
});
