import { agentId } from '#libs/catalog';
import { ConductSchema, validator, type Conduct, type ConductAgent, type ConductDay } from '#libs/contracts';
import { App } from '../../../../test/kit/app.js';
import '../../../../test/kit/dispose-all.js';
import { rollUpCounts, storeVisits, type StoredVisit } from '../../../../test/kit/stored-visits.js';

const NOW = Date.parse('2026-11-21T08:31:05Z');
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const HOST = 'shop.example';
const VERSION = '01a0a0a0-0000-7000-8000-0000000000c1';
const LAST_WEEK = '2026-11-10T00:00:00Z';
/** Day on which the crawlers visit the site. */
const DAY = Date.parse('2026-11-20T00:00:00Z');
const ROBOTS_TXT = 'User-agent: *\nCrawl-delay: 10\nDisallow: /private/\n';
const CRAWLER = { agent: 'GPTBot', type: 'AI Data Scraper', operator: 'OpenAI' };
const OTHER = { agent: 'ClaudeBot', type: 'AI Data Scraper', operator: 'Anthropic' };

/** Compiles the schema without `$id`s, because the validator rejects a schema that contains one of them twice. */
const schema = validator(
  JSON.parse(JSON.stringify(ConductSchema, (key, value: unknown) => (key === '$id' ? undefined : value))) as never,
);

let app: App;
beforeAll(async () => {
  app = await App.start({ clock: () => NOW });
});

interface Request extends Omit<StoredVisit, 'at'> {
  host?: string | null;
  responseHeaders?: Record<string, string>;
  durationMs?: number;
}

/** Returns a visit with all headers, at a time in milliseconds since the epoch. */
function visit(at: number, { host = HOST, responseHeaders, durationMs, ...request }: Request = {}): StoredVisit {
  return {
    at: new Date(at).toISOString(),
    ...CRAWLER,
    insights: { robots: { verdict: 'allowed', version: VERSION, line: null } },
    ...request,
    headers: { ...(host !== null && { Host: host }), 'Accept-Encoding': 'gzip', ...(request.headers as object) },
    extra: {
      response_headers: responseHeaders ?? { 'Content-Type': 'text/html' },
      response_duration_in_milliseconds: durationMs ?? 30,
    },
  };
}

/** Returns visits to different pages at a constant interval. */
const crawl = (start: number, count: number, intervalMs: number, request: Request = {}): StoredVisit[] =>
  Array.from({ length: count }, (_, index) =>
    visit(start + index * intervalMs + 1, { path: `/page/${index}`, ...request }),
  );

const fetchRobots = (at: number, request: Request = {}): StoredVisit => visit(at, { path: '/robots.txt', ...request });

/** Other agents' visits, without which the log of the day before would be incomplete. */
const EARLIER_VISITS = [
  ...Array.from({ length: 10 }, (_, index) => fetchRobots(DAY - (60 - 6 * index) * HOUR_MS, OTHER)),
  visit(DAY - HOUR_MS, OTHER),
];

async function createProject(
  visits: readonly StoredVisit[],
  options: { robotsTxt?: string; from?: string; hosts?: string[] } = {},
) {
  const { body } = await app.api('POST', '/projects', { name: 'Shop', host_names: options.hosts ?? [] });
  const id = body.id as string;
  await storeVersion(id, options.robotsTxt ?? ROBOTS_TXT, options.from ?? LAST_WEEK);
  await storeVisits(app.database.dataSource, id, NOW, visits);
  return id;
}

async function storeVersion(projectId: string, text: string, from: string, id = VERSION): Promise<void> {
  await app.database.dataSource.query(`DELETE FROM robots_versions WHERE id = $1`, [id]);
  await app.database.dataSource.query(
    `WITH kept AS (
       INSERT INTO robots_texts (digest, text, is_cut) VALUES (sha256($3::text::bytea), $3, false)
       ON CONFLICT (digest) DO UPDATE SET is_cut = false RETURNING digest
     )
     INSERT INTO robots_versions (id, project_id, host, served_from, status, digest, is_recorded)
     SELECT $1, $2, '${HOST}', $4, 200, digest, false FROM kept`,
    [id, projectId, text, from],
  );
}

async function read(id: string, query = 'from=2026-11-18T00:00:00Z&to=2026-11-21T00:00:00Z'): Promise<Conduct> {
  const { status, body, text } = await app.api('GET', `/projects/${id}/conduct?${query}`);
  if (status !== 200) throw new Error(`${status} ${text}`);
  expect(schema.faults(body)).toEqual([]);
  return body as unknown as Conduct;
}

async function readAgent(id: string): Promise<ConductAgent> {
  const { agents } = await read(id);
  return agents.find((agent) => agent.agent_id === agentId(CRAWLER.agent))!;
}

async function readDay(visits: readonly StoredVisit[], options = {}): Promise<ConductDay> {
  const { days } = await readAgent(await createProject([...EARLIER_VISITS, ...visits], options));
  return days[0]!;
}

async function findHighlights(visits: readonly StoredVisit[], options = {}): Promise<string[]> {
  const { days } = await readAgent(await createProject([...EARLIER_VISITS, ...visits], options));
  return days.flatMap(({ highlights }) => highlights);
}

/** A crawler that follows all rules. */
const POLITE = [
  fetchRobots(DAY + HOUR_MS),
  ...crawl(DAY + HOUR_MS + MINUTE_MS, 40, 12_000, { responseHeaders: { ETag: '"1"' } }),
  ...crawl(DAY + 3 * HOUR_MS, 40, 12_000, { headers: { 'If-None-Match': '"1"' }, status: 304 }),
  visit(DAY + 5 * HOUR_MS, { path: '/busy', status: 429, responseHeaders: { 'Retry-After': '60' } }),
  ...crawl(DAY + 5 * HOUR_MS + 60_500, 5, 12_000, { path: '/later' }),
];

const WITHOUT_ROBOTS = POLITE.filter(({ path }) => path !== '/robots.txt');

describe('GET /api/projects/{id}/conduct', () => {
  it('highlights nothing about a crawler that follows the rules', async () => {
    const day = await readDay(POLITE);
    expect(day).toMatchObject({
      date: '2026-11-20',
      is_so_far: false,
      is_partial: false,
      visits: POLITE.length,
      spoofed: 0,
      robots: { judged: POLITE.length, disallowed: 0 },
      robots_fetch: { visits: POLITE.length - 1, after_fetch: POLITE.length - 1 },
      crawl_delay: { host: HOST, requested_ms: 10_000, median_gap_ms: 12_000, shorter_gaps: 0, resolution_ms: 1 },
      retry_after: { responses: 1, with_headers: 1, with_retry_after: 1, early_requests: 0, first_early_at: null },
      refetches: { not_modified: 40, cacheable: 40, cacheable_conditional: 40 },
      peak: { requests: 1, host: HOST },
      highlights: [],
    });
  });

  it.each<[string, string, StoredVisit[]]>([
    [
      'fetches disallowed pages',
      'disallowed',
      [
        ...POLITE,
        visit(DAY + 7 * HOUR_MS, {
          path: '/private/',
          insights: { robots: { verdict: 'disallowed', version: VERSION, line: 3 } },
        }),
      ],
    ],
    [
      "doesn't fetch robots.txt on the day or the day before",
      'robots_not_fetched',
      [fetchRobots(DAY - 40 * HOUR_MS), ...WITHOUT_ROBOTS],
    ],
    [
      'ignores the crawl delay, with several addresses in parallel',
      'crawl_delay',
      [
        ...POLITE,
        ...crawl(DAY + 7 * HOUR_MS, 150, 4_000, { path: '/a', method: 'HEAD', address: '192.0.2.1' }),
        ...crawl(DAY + 7 * HOUR_MS + 2_000, 150, 4_000, { path: '/b', method: 'HEAD', address: '192.0.2.2' }),
      ],
    ],
    [
      'continues although it was asked to wait',
      'retry_after',
      [
        ...POLITE,
        visit(DAY + 7 * HOUR_MS, { path: '/busy', status: 503, responseHeaders: { 'retry-after': '120' } }),
        visit(DAY + 7 * HOUR_MS + MINUTE_MS, { path: '/busy2' }),
      ],
    ],
    [
      'downloads unchanged pages again',
      'refetches',
      [...POLITE, ...[0, 1, 2].flatMap((time) => crawl(DAY + (7 + time) * HOUR_MS, 40, 12_000))],
    ],
    [
      'sends many requests at once',
      'peak',
      [
        ...POLITE,
        ...crawl(DAY + 7 * HOUR_MS, 300, 12_000, { path: '/slow', method: 'HEAD' }),
        ...crawl(DAY + 10 * HOUR_MS, 120, 50, { path: '/fast', method: 'HEAD' }),
      ],
    ],
  ])('highlights one fact about a crawler that %s', async (_, highlight, visits) => {
    expect(await findHighlights(visits)).toEqual([highlight]);
  });

  it('states the delay that was requested and the median interval', async () => {
    const day = await readDay([fetchRobots(DAY + HOUR_MS), ...crawl(DAY + 2 * HOUR_MS, 100, 400)]);
    expect(day.crawl_delay).toEqual({
      host: HOST,
      requested_ms: 10_000,
      median_gap_ms: 400,
      gaps: 99,
      shorter_gaps: 99,
      resolution_ms: 1,
    });
    expect(day.peak).toEqual({
      requests: 25,
      host: HOST,
      from: '2026-11-20T02:00:00.000Z',
      to: '2026-11-20T02:00:10.000Z',
    });
  });

  it('accepts a copy of robots.txt that is up to 24 hours old', async () => {
    const fetches = [-30, -6, 18].map((hour) => fetchRobots(DAY + hour * HOUR_MS));
    const visits = crawl(DAY - 6 * HOUR_MS + MINUTE_MS, 1_500, MINUTE_MS);
    expect(await findHighlights([...fetches, ...visits])).toEqual([]);
    // A rule and a delay that are newer than the copy.
    const project = await createProject(
      [
        ...EARLIER_VISITS,
        ...fetches,
        ...crawl(DAY + 15 * HOUR_MS, 200, 1_000, {
          insights: { robots: { verdict: 'disallowed', version: VERSION, line: 3 } },
        }),
      ],
      { from: '2026-11-20T14:00:00Z' },
    );
    expect(await readAgent(project)).toMatchObject({
      days: [
        { robots: { disallowed: 200, disallowed_for_a_day: 0 }, crawl_delay: null, highlights: [] },
        { highlights: [] },
        {},
      ],
    });
  });

  it('accepts requests for robots.txt by another agent of the operator', async () => {
    const searchBot = { agent: 'OAI-SearchBot', type: 'AI Search Crawler', operator: 'OpenAI' };
    expect(
      await findHighlights([fetchRobots(DAY + HOUR_MS, searchBot), ...crawl(DAY + 2 * HOUR_MS, 20, MINUTE_MS)]),
    ).toEqual([]);
  });

  it("doesn't judge requests for robots.txt that may not have been recorded", async () => {
    const unknown = { robots_fetch: null, highlights: [] };
    // No agent requests robots.txt from this host, for example because a CDN answers these requests.
    expect(await readDay(crawl(DAY, 20, MINUTE_MS, { host: 'images.shop.example' }))).toMatchObject(unknown);
    // Only a request by another agent wasn't answered from the CDN's cache.
    expect(await readDay(WITHOUT_ROBOTS)).toMatchObject(unknown);
    // The first visits of a project.
    const first = [fetchRobots(DAY, OTHER), ...crawl(DAY + HOUR_MS, 20, MINUTE_MS)];
    const later = fetchRobots(DAY + 9 * HOUR_MS);
    expect((await readAgent(await createProject([...first, later]))).days[0]).toMatchObject(unknown);
    // The log of the day before is missing, but not the log of the day before that.
    const earlier = EARLIER_VISITS.filter(({ at }) => Date.parse(at) < DAY - 24 * HOUR_MS);
    const late = crawl(DAY + 20 * HOUR_MS, 20, MINUTE_MS);
    const gap = await createProject([...earlier, fetchRobots(DAY - 40 * HOUR_MS), ...WITHOUT_ROBOTS, ...late]);
    expect((await readAgent(gap)).days[0]).toMatchObject(unknown);
    // A request that is recorded is shown in any case.
    const known = await createProject([...first, later, visit(DAY + 10 * HOUR_MS)]);
    expect((await readAgent(known)).days[0]).toMatchObject({ robots_fetch: { visits: 1, after_fetch: 1 } });
  });

  it.each([
    ['without recorded requests', [], true],
    ['that got the file', [200], true],
    ['that got a redirect', [301], true],
    ['that had a copy', [304, 403], true],
    ['that a firewall blocks', [403, 429], false],
    ['that a firewall challenges', [202], false],
  ])('highlights breaches of robots.txt by an agent %s: %s', async (_, statuses, isHighlighted) => {
    const highlights = await findHighlights([
      ...statuses.map((status, index) => fetchRobots(DAY - HOUR_MS + index, { status })),
      ...crawl(DAY + 2 * HOUR_MS, 100, 1_000, {
        insights: { robots: { verdict: 'disallowed', version: VERSION, line: 3 } },
      }),
    ]);
    expect(highlights).toEqual(isHighlighted ? ['disallowed', 'crawl_delay'] : []);
  });

  it('judges breaches of robots.txt by the same host', async () => {
    const blocked = { host: 'blog.shop.example', status: 403 };
    const fast = crawl(DAY + 2 * HOUR_MS, 20, 1_000);
    expect(await findHighlights([fetchRobots(DAY + HOUR_MS, blocked), ...fast])).toEqual(['crawl_delay']);
    expect(await findHighlights([fetchRobots(DAY + HOUR_MS, { status: 403 }), ...fast])).toEqual([]);
  });

  it("doesn't compare a delay with the time before a redirect is followed, or between HEAD and GET", async () => {
    const pages = Array.from({ length: 40 }, (_, index) => DAY + 2 * HOUR_MS + index * 12_000);
    const day = await readDay([
      fetchRobots(DAY + HOUR_MS),
      ...pages.flatMap((at) => [
        visit(at, { path: `/old/${at}`, status: 301 }),
        visit(at + 50, { path: `/new/${at}`, method: 'HEAD' }),
        visit(at + 100, { path: `/new/${at}` }),
      ]),
    ]);
    expect(day).toMatchObject({ crawl_delay: { gaps: 39, shorter_gaps: 0, median_gap_ms: 11_900 }, highlights: [] });
    const unchanged = pages.flatMap((at) => [
      visit(at, { path: `/a/${at}`, method: 'HEAD' }),
      visit(at + 50, { path: `/b/${at}`, status: 304 }),
      visit(at + 100, { path: `/c/${at}` }),
    ]);
    expect(await findHighlights([fetchRobots(DAY + HOUR_MS), ...unchanged])).toEqual(['crawl_delay']);
  });

  it("doesn't compare visits of different sites whose hosts aren't reported", async () => {
    const visits = [
      fetchRobots(DAY + HOUR_MS, { host: null }),
      visit(DAY + HOUR_MS + MINUTE_MS, { host: null, status: 429, responseHeaders: { 'Retry-After': '600' } }),
      ...crawl(DAY + HOUR_MS + 2 * MINUTE_MS, 200, 50, { host: null }),
    ];
    expect(await readDay(visits, { hosts: [HOST] })).toMatchObject({
      crawl_delay: { host: null },
      retry_after: { responses: 1, early_requests: 200 },
      peak: { requests: 200 },
      highlights: ['crawl_delay', 'retry_after', 'peak'],
    });
    expect(await readDay(visits, { hosts: [HOST, 'blog.example'] })).toMatchObject({
      visits: 202,
      crawl_delay: null,
      retry_after: { responses: 1, with_retry_after: 1, early_requests: null, first_early_at: null },
      peak: null,
      highlights: [],
    });
  });

  it('includes visits that arrive late and out of order', async () => {
    const project = await createProject([]);
    const visits = [...EARLIER_VISITS, ...POLITE];
    const shuffled = visits.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
    await storeVisits(app.database.dataSource, project, NOW, shuffled.slice(50));
    await storeVisits(app.database.dataSource, project, NOW + 5 * HOUR_MS, shuffled.slice(0, 50));
    const { days } = await readAgent(project);
    expect(days).toMatchObject([{ visits: POLITE.length, highlights: [] }]);
    await rollUpCounts(app.database.dataSource, NOW + 24 * HOUR_MS);
    expect((await readAgent(project)).days).toEqual(days);
  });

  it('ignores times that are only the time of receipt', async () => {
    const project = await createProject([...EARLIER_VISITS, fetchRobots(DAY + HOUR_MS)]);
    const at = DAY + 2 * HOUR_MS;
    const visits = Array.from({ length: 200 }, (_, index) => visit(at, { path: `/${index}` }));
    await storeVisits(app.database.dataSource, project, at, visits);
    expect((await readAgent(project)).days[0]).toMatchObject({ visits: 201, crawl_delay: null, highlights: [] });
  });

  it('allows for the resolution of logs with whole seconds', async () => {
    const floor = (visits: StoredVisit[]): StoredVisit[] =>
      visits.map((one) => ({ ...one, at: new Date(Math.floor(Date.parse(one.at) / 1_000) * 1_000).toISOString() }));
    expect(await findHighlights(floor(POLITE))).toEqual([]);
    const requests = floor([fetchRobots(DAY + HOUR_MS), ...crawl(DAY + 2 * HOUR_MS, 60, 500)]);
    const day = await readDay(requests, { robotsTxt: 'User-agent: *\nCrawl-delay: 1' });
    expect(day).toMatchObject({
      crawl_delay: { requested_ms: 1_000, shorter_gaps: null, resolution_ms: 1_000 },
      highlights: [],
    });
    // The real intervals could have been 10 seconds.
    const rounded = floor([fetchRobots(DAY + HOUR_MS), ...crawl(DAY + 2 * HOUR_MS, 60, 9_001)]);
    expect(await readDay(rounded)).toMatchObject({ crawl_delay: { shorter_gaps: 0 }, highlights: [] });
    expect(await findHighlights(floor([fetchRobots(DAY + HOUR_MS), ...crawl(DAY + 2 * HOUR_MS, 60, 3_000)]))).toEqual([
      'crawl_delay',
    ]);
  });

  it('only compares visits to the same host', async () => {
    const skewed = { host: 'blog.shop.example' };
    const second = POLITE.map((one) => ({
      ...one,
      at: new Date(Date.parse(one.at) + 3_700).toISOString(),
      headers: { ...(one.headers as object), Host: skewed.host },
    }));
    const responses = [
      visit(DAY + 7 * HOUR_MS, { path: '/x', status: 429, responseHeaders: { 'Retry-After': '600' } }),
    ];
    const requests = crawl(DAY + 7 * HOUR_MS + 10_000, 20, 12_000, { ...skewed, path: '/y', method: 'HEAD' });
    expect(await findHighlights([...POLITE, ...second, ...responses, ...requests])).toEqual([]);
  });

  it('ignores requests in flight when the agent was asked to wait, and dates by another clock', async () => {
    const at = DAY + 2 * HOUR_MS;
    const date = (time: number): string => new Date(time).toUTCString();
    const throttle = { path: '/busy', status: 503, durationMs: 20_000, responseHeaders: { 'Retry-After': '300' } };
    const dated = { Date: date(at + HOUR_MS), 'Retry-After': date(at + HOUR_MS + 300_000) };
    const day = await readDay([
      fetchRobots(DAY + HOUR_MS),
      visit(at, throttle),
      // Starts before the response ends.
      visit(at + 15_000, { path: '/1' }),
      visit(at + 40_000, { path: '/2', durationMs: 30_000 }),
      // Within the resolution of the end.
      visit(at + 298_500, { path: '/3' }),
      // The server's clock is an hour ahead.
      visit(at + 600_000, { ...throttle, durationMs: 0, responseHeaders: dated }),
      visit(at + 600_000 + 250_000, { path: '/4' }),
    ]);
    expect(day).toMatchObject({
      retry_after: { responses: 2, with_retry_after: 2, early_requests: 0 },
      highlights: [],
    });
    const early = await readDay([
      fetchRobots(DAY + HOUR_MS),
      visit(at, { ...throttle, responseHeaders: dated, durationMs: 0 }),
      visit(at + 100_000, { path: '/1' }),
      visit(at + 110_000, { path: '/2' }),
    ]);
    expect(early.retry_after).toEqual({
      responses: 1,
      with_headers: 1,
      with_retry_after: 1,
      early_requests: 2,
      first_early_at: new Date(at + 100_000).toISOString(),
      last_early_at: new Date(at + 110_000).toISOString(),
    });
  });

  it('distinguishes facts that the source of the visits does not report', async () => {
    const bare = (at: number, path: string, status = 200): StoredVisit => ({
      at: new Date(at).toISOString(),
      ...CRAWLER,
      path,
      status,
      headers: { 'User-Agent': 'GPTBot/1.2' },
    });
    const visits = Array.from({ length: 40 }, (_, index) => bare(DAY + HOUR_MS + index * MINUTE_MS, `/${index % 2}`));
    const day = await readDay([...visits, bare(DAY + 5 * HOUR_MS, '/0', 304), bare(DAY + 6 * HOUR_MS, '/3', 429)]);
    expect(day).toMatchObject({
      robots: { judged: 0 },
      robots_fetch: null,
      crawl_delay: null,
      retry_after: { responses: 1, with_headers: 0, with_retry_after: 0, early_requests: 0 },
      refetches: { requests: 39, not_modified: 1, conditional: null, cacheable: null, cacheable_conditional: null },
      peak: { host: null },
      highlights: [],
    });
  });

  it('excludes visits that failed verification, and highlights nothing about agents that act for users', async () => {
    const spoofed = crawl(DAY + 2 * HOUR_MS, 200, 20, { result: 'verification_failed' });
    const user = { agent: 'ChatGPT-User', type: 'AI Assistant', operator: 'OpenAI' };
    const project = await createProject([
      ...EARLIER_VISITS,
      ...POLITE,
      ...spoofed,
      ...crawl(DAY + 2 * HOUR_MS, 200, 20, user),
    ]);
    const { agents } = await read(project);
    expect(agents.find(({ agent_token: token }) => token === 'GPTBot')).toMatchObject({
      is_user_triggered: false,
      agent_url: expect.stringContaining('https://') as string,
      methods: expect.arrayContaining(['ip_range']) as string[],
      days: [{ visits: POLITE.length, spoofed: 200, highlights: [] }],
    });
    expect(agents.find(({ agent_token: token }) => token === 'ChatGPT-User')).toMatchObject({
      is_user_triggered: true,
      days: [{ peak: { requests: 200 }, highlights: [] }],
    });
  });

  it('lists agents by visits, or only those requested', async () => {
    const project = await createProject([...EARLIER_VISITS, ...POLITE, visit(NOW - HOUR_MS)]);
    const { agents } = await read(project, '');
    expect(agents.map(({ agent_token: token, days }) => [token, days.map(({ date }) => date)])).toEqual([
      ['GPTBot', ['2026-11-21', '2026-11-20']],
    ]);
    expect(agents[0]!.days[0]).toMatchObject({ is_so_far: true });
    const range = 'from=2026-11-15T12:00:00Z&to=2026-11-20T12:00:00Z';
    expect((await read(project, range)).agents.map(({ agent_token: token }) => token)).toEqual(['GPTBot', 'ClaudeBot']);
    const only = await read(project, `${range}&agent=claudebot`);
    expect(only.from).toBe('2026-11-15T00:00:00.000Z');
    expect(only.to).toBe('2026-11-21T00:00:00.000Z');
    expect(only.agents.map(({ agent_token: token }) => token)).toEqual(['ClaudeBot']);
    expect((await read(project, `${range}&agent=${agentId('Nobody')}`)).agents).toEqual([]);
  });

  it('rejects ranges that are too long', async () => {
    const { status, body } = await app.api(
      'GET',
      `/projects/${await createProject([])}/conduct?from=2026-10-01&to=2026-11-20`,
    );
    expect(status).toBe(422);
    expect(body.errors).toEqual([{ pointer: '/from', detail: 'must be at most 31 days before to' }]);
  });
});
