import { agentId } from '#libs/catalog';
import type { Coverage, CoveredPage } from '#libs/contracts';
import { PageFetchesRepository } from '../../apps/ingest/src/page-fetches/page-fetches.repository.js';
import { PageFetchesService } from '../../apps/ingest/src/page-fetches/page-fetches.service.js';
import { App, type Json } from '../kit/app.js';
import '../kit/dispose-all.js';
import { until } from '../kit/instance.js';
import { insertVisits, type StoredVisit, storeVisits } from '../kit/stored-visits.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HOST = 'shop.example';
/** 50,000 pages and 2 million visits, which must be stored in PostgreSQL. */
const IS_FULL_SIZE = process.env['COVERAGE_SIZE'] === 'full';
const SIZE = IS_FULL_SIZE ? { pages: 50_000, visits: 2_000_000 } : { pages: 2_000, visits: 40_000 };
const SIZE_TIMEOUT_MS = IS_FULL_SIZE ? 3_000_000 : 180_000;
const BATCH_SIZE = 4_000;
/** Real agents, because the catalog contains their names. */
const AGENTS = [
  'GPTBot',
  'ClaudeBot',
  'CCBot',
  'PerplexityBot',
  'Bytespider',
  'Amazonbot',
  'ChatGPT-User',
  'Googlebot',
];

let app: App;
let now = Date.now();

beforeAll(async () => {
  app = await App.start({ clock: () => now });
});

const countAll = (): Promise<void> => app.nest.get(PageFetchesService, { strict: false }).countAll();

async function createProject() {
  const { id } = (await app.api('POST', '/projects', { name: 'Shop', host_names: [HOST] })).body;
  const url = `/projects/${id}`;
  const get = async (path: string): Promise<Json> => {
    const { status, body, text } = await app.api('GET', `${url}/coverage${path}`);
    if (status !== 200) throw new Error(`${status} ${text}`);
    return body;
  };
  const pages = async (query: string): Promise<CoveredPage[]> => {
    const all: CoveredPage[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const part: Json = await get(`/pages?limit=1000&${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
      all.push(...part.pages);
      cursor = part.next_cursor;
    }
    return all;
  };
  return {
    id: id as string,
    get,
    record: async (paths: readonly string[]): Promise<void> => {
      const text = paths.map((path) => `https://${HOST}${path}`).join('\n');
      expect((await app.api('POST', `${url}/sitemaps`, { text })).status).toBe(200);
    },
    store: (visits: readonly StoredVisit[], at = now) => storeVisits(app.database.dataSource, id, at, visits),
    insert: (visits: readonly StoredVisit[]) => insertVisits(app.database.dataSource, id, now, visits),
    report: (): Promise<Coverage> => get(''),
    pages,
    names: async (query: string) => (await pages(query)).map(({ page }) => page),
  };
}

const at = (ms: number): string => new Date(ms).toISOString();
const visit = (agent: string, path: string, ms: number, more: Partial<StoredVisit> = {}): StoredVisit => ({
  agent,
  path,
  at: at(ms),
  ...more,
});

it('counts the pages that agents fetched, never fetched, and fetched without a sitemap', async () => {
  const { id, get, record, store, report, pages, names } = await createProject();
  await record(['/', '/docs/a', '/docs/b.html', '/blog/x/']);
  const hoursAgo = (hours: number): number => now - hours * HOUR_MS;
  await store([
    visit('GPTBot', '/docs/a.md?utm=1', hoursAgo(5)),
    visit('GPTBot', '/docs/a', hoursAgo(9), { status: 301 }),
    visit('GPTBot', '/docs/b', hoursAgo(3), { status: 404 }),
    visit('GPTBot', '/hidden', hoursAgo(2)),
    visit('ClaudeBot', '/docs/a', hoursAgo(1), { status: 304 }),
    // Somebody else claims to be these agents.
    visit('CCBot', '/docs/a', hoursAgo(1), { result: 'verification_failed' }),
    { at: at(hoursAgo(1)), path: '/blog/x' },
  ]);
  await countAll();
  const { agents, purposes, folders, ...rest } = await report();
  // Both agents are for training, and one page was fetched by both.
  expect(purposes).toEqual([
    { purpose: 'training', fetched: 2, fetched_last_7_days: 2, fetched_7_days_ago: 0, unlisted: 1 },
  ]);
  now += 8 * DAY_MS;
  expect((await report()).purposes).toMatchObject([{ fetched: 2, fetched_last_7_days: 0, fetched_7_days_ago: 2 }]);
  now -= 8 * DAY_MS;
  expect(rest).toMatchObject({
    pages: 4,
    pages_without_data: 0,
    last_visit_at: at(hoursAgo(1)),
    days_without_data: [],
  });
  expect(agents).toMatchObject([
    {
      agent_token: 'GPTBot',
      purpose: 'training',
      fetched: 2,
      unlisted: 1,
      fetches: 4,
      redirects: 1,
      client_errors: 1,
      with_query: 1,
      listed_redirects: 1,
      listed_errors: 1,
      last_fetch_at: at(hoursAgo(2)),
      days_to_first_fetch: null,
    },
    { agent_token: 'ClaudeBot', fetched: 1, unlisted: 0, redirects: 0 },
  ]);
  const gptbot = agentId('GPTBot');
  expect(folders).toMatchObject([
    {
      folder: '/docs/',
      pages: 2,
      agents: [{ agent_id: gptbot, fetched: 2, last_fetch_at: at(hoursAgo(3)) }, { fetched: 1 }],
    },
    { folder: '/', pages: 1, agents: [] },
    { folder: '/blog/', pages: 1, agents: [] },
  ]);
  expect(await names(`agent=${gptbot}&state=never_fetched`)).toEqual(['/', '/blog/x']);
  expect(await names(`agent=${agentId('ClaudeBot')}&state=never_fetched&folder=/docs/`)).toEqual(['/docs/b']);
  expect(await names('state=never_fetched')).toEqual(['/', '/blog/x']);
  const patterns = ['/docs/b*', '/docs/*', '*x'].map((pattern) => ({ name: pattern, pattern }));
  expect((await app.api('PATCH', `/projects/${id}`, { path_patterns: patterns })).status).toBe(200);
  expect((await get('?by=pattern')).folders).toMatchObject([
    { folder: '*x', pages: 1, agents: [] },
    { folder: '/docs/*', pages: 1, agents: [{ fetched: 1 }, { fetched: 1 }] },
    { folder: '/docs/b*', pages: 1, agents: [{ agent_id: gptbot, fetched: 1 }] },
    { folder: null, pages: 1, agents: [] },
  ]);
  expect(await names('path=/docs/*&not_path=/docs/b*')).toEqual(['/docs/a']);
  expect(await names('path=/docs/')).toEqual(['/docs/a', '/docs/b']);
  expect(await names('state=unlisted')).toEqual(['/hidden']);
  expect(await pages('state=fetched&folder=/docs/')).toMatchObject([
    { page: '/docs/a', fetches: 3, redirects: 1, first_fetch_at: at(hoursAgo(9)), last_fetch_at: at(hoursAgo(1)) },
    { page: '/docs/b', fetches: 1, client_errors: 1 },
  ]);
});

it('counts each visit once, in any order, also if it was stored before the sitemap', async () => {
  const { record, store, pages } = await createProject();
  await store([visit('GPTBot', '/a', now - 5 * HOUR_MS)]);
  await record(['/a']);
  await Promise.all([countAll(), countAll()]);
  await store([visit('GPTBot', '/a', now - 90 * HOUR_MS), visit('GPTBot', '/b', now - 80 * HOUR_MS)]);
  await Promise.all([countAll(), countAll(), countAll()]);
  expect(await pages('')).toMatchObject([
    { page: '/a', fetches: 2, first_fetch_at: at(now - 90 * HOUR_MS), last_fetch_at: at(now - 5 * HOUR_MS) },
  ]);
  // The fetches are known when a sitemap lists the page later.
  await record(['/a', '/b']);
  expect(await pages('')).toMatchObject([{ page: '/a' }, { page: '/b', fetches: 1 }]);
});

it('counts repeated fetches on a UTC day by agents and pages that are counted separately', async () => {
  const { id, record, store, report, pages } = await createProject();
  await record(['/a', '/b']);
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const [yesterday, before] = [today - DAY_MS, today - 2 * DAY_MS];
  await store([
    visit('GPTBot', '/a', before),
    visit('GPTBot', '/a.md', before + 1),
    visit('GPTBot', '/a?x=1', yesterday),
    visit('GPTBot', '/b', yesterday),
    visit('ClaudeBot', '/a', yesterday),
  ]);
  await countAll();
  await store([
    visit('GPTBot', '/a', yesterday + 1),
    visit('GPTBot', '/a', yesterday + DAY_MS - 1),
    visit('GPTBot', '/a', today),
    visit('GPTBot', '/unlisted', before),
    visit('GPTBot', '/unlisted', before + 1),
    visit('ClaudeBot', '/a', today),
  ]);
  await countAll();
  await store([visit('GPTBot', '/a', before + 2)]);
  await countAll();
  const { agents } = await report();
  expect(agents).toMatchObject([
    { agent_token: 'GPTBot', fetches: 10, repeats: 5 },
    { agent_token: 'ClaudeBot', repeats: 0 },
  ]);
  expect(await pages('')).toMatchObject([
    { page: '/a', repeats: 4 },
    { page: '/b', repeats: 0 },
  ]);
  await app.database.dataSource.query(
    `UPDATE coverage_states SET agents = array_fill(agents[1], ARRAY[20]) WHERE project_id = $1`,
    [id],
  );
  await store([visit('CCBot', '/a', now), visit('CCBot', '/a', now)]);
  await countAll();
  expect((await report()).agents.find(({ agent_id }) => agent_id === null)).toMatchObject({
    fetches: 2,
    repeats: null,
  });
});

it('distinguishes missing data from pages that were not fetched', async () => {
  const { record, store, report } = await createProject();
  await record(['/old']);
  await store([visit('GPTBot', '/old', now - 4 * DAY_MS), visit('GPTBot', '/old', now - DAY_MS)]);
  // A longer time could pass the end of the UTC day, which would then have no visits.
  now += 1;
  await record(['/old', '/new']);
  await countAll();
  const day = (days: number): string => at(now - days * DAY_MS).slice(0, 10);
  const { pages_without_data, days_without_data } = await report();
  // The start of the first day, so `now` can be on another day than the visits.
  expect({ pages_without_data, days: days_without_data.length }).toEqual({ pages_without_data: 1, days: 2 });
  expect(days_without_data).toContain(day(2));
});

it('measures the days from the first listing of new pages to their first fetch', async () => {
  const { record, store, report } = await createProject();
  await record(['/old']);
  now += HOUR_MS;
  await record(['/old', '/new']);
  const listed = now;
  now += 3 * DAY_MS;
  await store([visit('GPTBot', '/old', now), visit('GPTBot', '/new', listed + 2 * DAY_MS)]);
  await countAll();
  expect((await report()).agents).toMatchObject([{ days_to_first_fetch: 2 }]);
});

it('combines agents and unlisted pages over the limits', async () => {
  const { record, store, report } = await createProject();
  await record(['/a']);
  const agents = Array.from({ length: 25 }, (_, index) => `Agent${index}`);
  await store(agents.flatMap((agent, index) => Array.from({ length: 30 - index }, () => visit(agent, '/a', now))));
  await countAll();
  const report1 = await report();
  expect(report1.agents).toHaveLength(21);
  expect(report1.agents.find((agent) => agent.agent_id === null)).toMatchObject({
    fetched: 1,
    fetches: 10 + 9 + 8 + 7 + 6,
  });
  const visits = Array.from({ length: 20_010 }, (_, index) => visit('Agent0', `/${index}`, now));
  for (let start = 0; start < visits.length; start += BATCH_SIZE) await store(visits.slice(start, start + BATCH_SIZE));
  await countAll();
  const agent = (await report()).agents[0]!;
  expect(agent.fetches).toBe(30 + 20_010);
  expect(agent.unlisted).toBeLessThanOrEqual(20_000);
  expect(agent.unlisted).toBeGreaterThan(19_990);
});

describe('concurrent changes', () => {
  const query = (statement: string, parameters: unknown[] = []) =>
    app.database.dataSource.query(statement, parameters) as Promise<Record<string, unknown>[]>;
  const deleteExpired = (id: string): Promise<void> =>
    app.nest.get(PageFetchesRepository, { strict: false }).deleteExpired(id);
  const hasLockWaits = async (): Promise<boolean> =>
    (await query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`))
      .length > 0;

  it('waits for changes to the pages, and keeps those that are now listed', async () => {
    const { id, record, names } = await createProject();
    await record(['/a']);
    await query(
      `INSERT INTO site_pages (project_id, page, is_fetched) VALUES ($1, '/listed', false), ($1, '/expired', false)`,
      [id],
    );
    const holder = app.database.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query(`SELECT FROM coverage_states WHERE project_id = $1 FOR UPDATE`, [id]);
    await holder.query(`UPDATE site_pages SET is_fetched = true WHERE project_id = $1 AND page = '/listed'`, [id]);
    const deleted = deleteExpired(id);
    await until(hasLockWaits, { condition: 'the deletion waits for a lock' });
    await holder.commitTransaction();
    await holder.release();
    await deleted;
    expect(await names('')).toEqual(['/a', '/listed']);
    expect(await query(`SELECT FROM site_pages WHERE project_id = $1`, [id])).toHaveLength(2);
  });

  it('does not cause a deadlock while the project is removed', async () => {
    const { id, record, store } = await createProject();
    await record(['/a']);
    await store([visit('GPTBot', '/a', now)]);
    const holder = app.database.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query(`SELECT FROM projects WHERE id = $1 FOR UPDATE`, [id]);
    const counted = countAll();
    await until(hasLockWaits, { condition: 'counting waits for the project' });
    await holder.query(`DELETE FROM projects WHERE id = $1`, [id]);
    await holder.commitTransaction();
    await holder.release();
    await expect(counted).resolves.toBeUndefined();
  });

  it('keeps the row for pages over the limit, to which another process may be adding fetches', async () => {
    const { id, record, store, report } = await createProject();
    await record(['/a']);
    await query(`INSERT INTO site_pages (project_id, page, is_fetched) VALUES ($1, '', false)`, [id]);
    await deleteExpired(id);
    expect(await query(`SELECT page FROM site_pages WHERE project_id = $1 AND page = ''`, [id])).toHaveLength(1);
    await store([visit('GPTBot', '/a', now)]);
    await countAll();
    expect((await report()).agents).toMatchObject([{ fetches: 1 }]);
  });
});

it('removes the counts together with the project', async () => {
  const { id, record, store } = await createProject();
  await record(['/a']);
  await store([visit('GPTBot', '/a', now)]);
  await countAll();
  expect((await app.api('DELETE', `/projects/${id}`)).status).toBeLessThan(300);
  const rows = await app.database.dataSource.query(`SELECT FROM page_fetches WHERE project_id = $1`, [id]);
  expect(rows).toEqual([]);
});

it(
  `counts ${SIZE.visits} visits to a site with ${SIZE.pages} pages`,
  async () => {
    const { record, store, insert, report, pages } = await createProject();
    const folders = Array.from({ length: 40 }, (_, index) => (index === 0 ? '' : `/folder-${index}`));
    const listed = Array.from({ length: SIZE.pages }, (_, index) => `${folders[index % 40]}/page-${index}`);
    let seed = 1;
    const random = (limit: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % limit;
    };
    const expected = new Map<string, { fetches: number; first: number; last: number }>();
    const createVisit = (): StoredVisit => {
      const agent = AGENTS[random(AGENTS.length)]!;
      const isListed = random(10) > 0;
      // A third of the pages are never fetched.
      const page = isListed ? listed[Math.floor(random(SIZE.pages) / 1.5)]! : `/unlisted/${random(500)}`;
      const time = now - random(20 * DAY_MS);
      const result = random(10) === 0 ? 'verification_failed' : 'verified';
      if (result === 'verified') {
        const key = `${agent} ${page}`;
        const before = expected.get(key) ?? { fetches: 0, first: Infinity, last: 0 };
        expected.set(key, {
          fetches: before.fetches + 1,
          first: Math.min(before.first, time),
          last: Math.max(before.last, time),
        });
      }
      return visit(agent, random(5) === 0 ? `${page}?q=${random(9)}` : page, time, { result });
    };
    const storeNext = async (visits: number): Promise<void> => {
      for (let stored = 0; stored < visits; stored += BATCH_SIZE) {
        const batch = Array.from({ length: Math.min(BATCH_SIZE, visits - stored) }, createVisit);
        await (IS_FULL_SIZE && stored > 0 ? insert : store)(batch);
      }
    };
    await storeNext(SIZE.visits / 2);
    await record(listed);
    await countAll();
    await storeNext(SIZE.visits / 2);
    await countAll();
    const { agents, folders: counted } = await report();
    expect(counted).toHaveLength(40);
    const isListed = new Set(listed);
    for (const token of AGENTS) {
      const id = agentId(token);
      const of = [...expected]
        .filter(([key]) => key.startsWith(`${token} `))
        .map(([key, counts]) => ({ page: key.slice(token.length + 1), ...counts }));
      const fetched = of.filter(({ page }) => isListed.has(page));
      expect(agents.find((agent) => agent.agent_id === id)).toMatchObject({
        fetched: fetched.length,
        unlisted: of.length - fetched.length,
        fetches: of.reduce((sum, { fetches }) => sum + fetches, 0),
      });
    }
    const token = 'GPTBot';
    const [fetched, never, unlisted] = await Promise.all(
      ['fetched', 'never_fetched', 'unlisted'].map((state) => pages(`agent=${agentId(token)}&state=${state}`)),
    );
    const toRow = ({ page, fetches, first_fetch_at: first, last_fetch_at: last }: CoveredPage) => [
      page,
      fetches,
      first,
      last,
    ];
    const sorted = (rows: unknown[][]): unknown[][] =>
      rows.toSorted((one, other) => (String(one[0]) < String(other[0]) ? -1 : 1));
    const expectedRows = [...expected]
      .filter(([key]) => key.startsWith(`${token} `))
      .map(([key, { fetches, first, last }]) => [key.slice(token.length + 1), fetches, at(first), at(last)]);
    expect(sorted(fetched!.map(toRow))).toEqual(sorted(expectedRows.filter(([page]) => isListed.has(page as string))));
    expect(sorted(unlisted!.map(toRow))).toEqual(
      sorted(expectedRows.filter(([page]) => !isListed.has(page as string))),
    );
    const fetchedPages = new Set(fetched!.map(({ page }) => page));
    expect(never!.map(({ page }) => page).toSorted()).toEqual(
      listed.filter((page) => !fetchedPages.has(page)).toSorted(),
    );
  },
  SIZE_TIMEOUT_MS,
);
