import type { TSchema } from 'typebox';
import { agentId } from '#libs/catalog';
import {
  HistogramSchema,
  OverviewSchema,
  ProjectSummariesSchema,
  validator,
  VerificationOverviewSchema,
  VisitingAgentSchema,
  VisitingAgentsSchema,
} from '#libs/contracts';
import { App, type Json } from '../../../../test/kit/app.js';
import '../../../../test/kit/dispose-all.js';
import { storeVisits, rollUpCounts, type StoredVisit } from '../../../../test/kit/stored-visits.js';

/** A Saturday. In Berlin, daylight saving time ended on Sunday, 2026-10-25. */
const NOW = Date.parse('2026-11-21T08:31:05Z');
const GPTBOT = { agent: 'GPTBot', type: 'AI Data Scraper', operator: 'OpenAI' };
const CLAUDEBOT = { agent: 'ClaudeBot', type: 'AI Data Scraper', operator: 'Anthropic' };
const GOOGLEBOT = { agent: 'Googlebot', type: 'Search Engine Crawler', operator: 'Google' };
/** An agent that is no longer in the catalog. */
const GONEBOT = { agent: 'GoneBot', type: 'Fetcher', operator: 'Nobody' };

/** Compiles a schema without `$id`s, because they aren't unique if it contains another schema twice. */
const compileSchema = (schema: object) =>
  validator(
    JSON.parse(JSON.stringify(schema, (key, value: unknown) => (key === '$id' ? undefined : value))) as TSchema,
  );
/** Response schemas by path. Every response must match its schema. */
const SCHEMAS = [
  [/overview/, compileSchema(OverviewSchema)],
  [/agents\//, compileSchema(VisitingAgentSchema)],
  [/agents/, compileSchema(VisitingAgentsSchema)],
  [/verification/, compileSchema(VerificationOverviewSchema)],
  [/summaries/, compileSchema(ProjectSummariesSchema)],
  [/histogram/, compileSchema(HistogramSchema)],
] as const;

let app: App;
beforeAll(async () => {
  app = await App.start({ clock: () => NOW });
});

async function project(timeZone: string, visits: readonly StoredVisit[]): Promise<string> {
  const { body } = await app.api('POST', '/projects', { name: 'Shop', time_zone: timeZone });
  await storeVisits(app.database.dataSource, body.id, NOW, visits);
  return body.id as string;
}
/** Reads a path before, during and after the roll-up of counts, and expects the same response each time. */
async function read(path: string): Promise<Json> {
  const first = await readOnce(path);
  for (const now of [NOW - 12 * 3_600_000, NOW + 86_400_000]) {
    await rollUpCounts(app.database.dataSource, now);
    expect(await readOnce(path)).toEqual(first);
  }
  return first;
}
async function readOnce(path: string): Promise<Json> {
  const { status, body, text } = await app.api('GET', path);
  if (status !== 200) throw new Error(`${status} ${text}`);
  const [, schema] = SCHEMAS.find(([pattern]) => pattern.test(path))!;
  expect(schema.faults(body)).toEqual([]);
  return body;
}
const createVisitsEvery = (
  minutes: number,
  from: string,
  count: number,
  visit: Omit<StoredVisit, 'at'> = {},
): StoredVisit[] =>
  Array.from({ length: count }, (_, index) => ({
    at: new Date(Date.parse(from) + index * minutes * 60_000).toISOString(),
    ...visit,
  }));
const pluckNumbers = (series: Json[], name = 'visits'): number[] => series.map((item) => item[name] as number);
const withVisits = (series: Json[]): Json[] => series.filter(({ visits }) => visits > 0);

describe('GET /api/projects/{id}/overview', () => {
  it('returns totals for the current and previous ranges, and the most frequent values', async () => {
    const id = await project('UTC', [
      ...createVisitsEvery(10, '2026-11-21T00:00Z', 6, { ...GPTBOT, result: 'verified', path: '/a?x=1' }),
      ...createVisitsEvery(10, '2026-11-21T00:05Z', 2, { ...GPTBOT, result: 'verification_failed', path: '/a' }),
      ...createVisitsEvery(10, '2026-11-21T01:00Z', 3, { ...CLAUDEBOT, path: '/b', status: 404 }),
      ...createVisitsEvery(10, '2026-11-21T02:00Z', 4, { ...GOOGLEBOT, result: 'verified', path: '/c' }),
      ...createVisitsEvery(10, '2026-11-21T03:00Z', 5, { path: '/d', status: 301 }),
      ...createVisitsEvery(10, '2026-11-20T01:00Z', 7, { ...GPTBOT, result: 'verified' }),
      // Visits before both ranges.
      ...createVisitsEvery(10, '2026-11-18T01:00Z', 9, GPTBOT),
    ]);
    const {
      current,
      previous,
      series,
      previous_series: previousSeries,
      ...rest
    } = await read(`/projects/${id}/overview?from=2026-11-21T00:00Z&to=2026-11-21T08:00Z`);
    expect(current).toEqual({
      visits: 20,
      agent_visits: 15,
      agents: 3,
      verified: 10,
      verification_failed: 2,
      not_verifiable: 3,
      unknown_agent: 5,
    });
    expect(previous).toMatchObject({ visits: 0, agents: 0 });
    const day = await read(`/projects/${id}/overview?from=2026-11-21&to=2026-11-22`);
    expect(day.current).toEqual(current);
    expect(day.previous).toMatchObject({ visits: 7, agents: 1, verified: 7 });
    expect(rest).toEqual({
      from: '2026-11-21T00:00:00.000Z',
      to: '2026-11-21T08:00:00.000Z',
      time_zone: 'UTC',
      bucket: '15m',
      sample: null,
      compared_from: '2026-11-20T16:00:00.000Z',
      compared_to: '2026-11-21T00:00:00.000Z',
      top_agents: [
        {
          agent_id: agentId('GPTBot'),
          agent_token: 'GPTBot',
          agent_type_name: 'AI Data Scraper',
          operator_name: 'OpenAI',
          visits: 8,
          previous_visits: 0,
          verified: 6,
          verification_failed: 2,
        },
        expect.objectContaining({ agent_token: 'Googlebot', visits: 4, verified: 4, verification_failed: 0 }),
        expect.objectContaining({ agent_token: 'ClaudeBot', visits: 3, verified: 0, verification_failed: 0 }),
      ],
      top_operators: [
        { operator_name: 'OpenAI', visits: 8, previous_visits: 0 },
        { operator_name: 'Google', visits: 4, previous_visits: 0 },
        { operator_name: 'Anthropic', visits: 3, previous_visits: 0 },
      ],
      top_pages: [
        { path: '/a', visits: 8, previous_visits: 0 },
        { path: '/d', visits: 5, previous_visits: 0 },
        { path: '/c', visits: 4, previous_visits: 0 },
        { path: '/b', visits: 3, previous_visits: 0 },
      ],
      top_statuses: [
        { status: 200, visits: 12, previous_visits: 0 },
        { status: 301, visits: 5, previous_visits: 0 },
        { status: 404, visits: 3, previous_visits: 0 },
      ],
    });
    expect([series.length, previousSeries.length]).toEqual([32, 32]);
    expect(withVisits(series).slice(0, 3)).toEqual([
      { time: '2026-11-21T00:00:00.000Z', visits: 3, by_type: { 'AI Data Scraper': 3 } },
      { time: '2026-11-21T00:15:00.000Z', visits: 2, by_type: { 'AI Data Scraper': 2 } },
      { time: '2026-11-21T00:30:00.000Z', visits: 2, by_type: { 'AI Data Scraper': 2 } },
    ]);
    expect(withVisits(series).at(-1)).toEqual({ time: '2026-11-21T03:30:00.000Z', visits: 2, by_type: { '': 2 } });
  });

  it('splits a range into local days, including a 25-hour day', async () => {
    // One visit per hour for ten days, so a day's count is its length in hours.
    const id = await project('Europe/Berlin', [
      ...createVisitsEvery(60, '2026-10-20T00:00Z', 240, GPTBOT),
      // Days in Kathmandu start at 18:15 UTC, so these visits fall into the first hour of a day.
      ...createVisitsEvery(0, '2026-10-22T18:30Z', 3, GPTBOT),
    ]);
    const { series, current, bucket } = await read(
      `/projects/${id}/overview?from=2026-10-20T22:00Z&to=2026-10-29T23:00Z`,
    );
    expect([bucket, current.visits]).toEqual(['1d', 220]);
    expect(pluckNumbers(series)).toEqual([24, 27, 24, 24, 25, 24, 24, 24, 24]);
    expect(series[4].time).toBe('2026-10-24T22:00:00.000Z');
    expect(series[5].time).toBe('2026-10-25T23:00:00.000Z');
    const { body } = await app.api('PATCH', `/projects/${id}`, { time_zone: 'Asia/Kathmandu' });
    expect(body.time_zone).toBe('Asia/Kathmandu');
    const kathmandu = await read(`/projects/${id}/overview?from=2026-10-20T18:15Z&to=2026-10-29T18:15Z`);
    expect(pluckNumbers(kathmandu.series)).toEqual([24, 24, 27, 24, 24, 24, 24, 24, 24]);
    expect(kathmandu.series[0].time).toBe('2026-10-20T18:15:00.000Z');
    const hours = await read(`/projects/${id}/overview?from=2026-10-20T18:15Z&to=2026-10-23T18:15Z`);
    expect([hours.bucket, hours.series.length]).toEqual(['1h', 72]);
    expect(pluckNumbers(hours.series)).toEqual(Array.from({ length: 72 }, () => 1).with(48, 4));
    expect(hours.series[1].time).toBe('2026-10-20T19:15:00.000Z');
  });

  it.each([
    // Each range is compared with the previous range, a range from a year before, or an overlapping range.
    ['a week', '2026-11-10T07:15:00Z', '2026-11-17T07:15:00Z', undefined],
    ['a week compared with the year before', '2026-11-10T00:00:00Z', '2026-11-17T00:00:00Z', '2025-11-10T00:00:00Z'],
    ['a month with 25-hour days', '2026-10-20T22:00:00Z', '2026-11-19T23:00:00Z', '2025-10-20T22:00:00Z'],
    ['a day compared with an overlapping day', '2026-11-12T00:00:00Z', '2026-11-13T00:00:00Z', '2026-11-11T12:07:00Z'],
  ])('returns the same numbers as a count over the individual visits for %s', async (_, from, to, compareFrom) => {
    const agents = [GPTBOT, CLAUDEBOT, undefined, GOOGLEBOT, GPTBOT];
    const visits = [
      ...createVisitsEvery(127, '2025-10-10T00:00:00Z', 600),
      ...createVisitsEvery(41, '2026-10-01T00:00:00Z', 1_780),
    ].map((visit, index) => ({ ...visit, path: `/${index % 7}`, status: 200 + (index % 3), ...agents[index % 5] }));
    const id = await project('Europe/Berlin', visits);
    const length = Date.parse(to) - Date.parse(from);
    const quarter = 900_000;
    const start = Math.floor(Date.parse(compareFrom ?? '') / quarter) * quarter || Date.parse(from) - length;
    const within = (first: number, end: number, of: readonly StoredVisit[] = visits) =>
      of.filter(({ at }) => Date.parse(at) >= first && Date.parse(at) < end);
    const [now, previousVisits] = [within(Date.parse(from), Date.parse(to)), within(start, start + length)];
    const query = new URLSearchParams({ from, to, ...(compareFrom && { compare_from: compareFrom }) });
    const overview = await read(`/projects/${id}/overview?${query}`);
    expect([overview.compared_from, overview.compared_to].map((time) => Date.parse(time))).toEqual([
      start,
      start + length,
    ]);
    expect([overview.current.visits, overview.previous.visits]).toEqual([now.length, previousVisits.length]);
    const starts = overview.previous_series.map(({ time }: Json, item: number) =>
      item === 0 ? start : Date.parse(time),
    );
    expect(pluckNumbers(overview.previous_series)).toEqual(
      starts.map((first: number, item: number) => within(first, starts[item + 1] ?? start + length).length),
    );
    const ofAgent = (token: string) => (visit: StoredVisit) => visit.agent === token;
    for (const agent of overview.top_agents) {
      expect(agent.visits).toBe(now.filter(ofAgent(agent.agent_token)).length);
      expect(agent.previous_visits).toBe(previousVisits.filter(ofAgent(agent.agent_token)).length);
    }
    for (const { operator_name: operator, previous_visits: count } of overview.top_operators) {
      expect(count).toBe(previousVisits.filter((visit) => 'operator' in visit && visit.operator === operator).length);
    }
    for (const { path, previous_visits: count } of overview.top_pages) {
      expect(count).toBe(previousVisits.filter((visit) => visit.path === path).length);
    }
    for (const { status, previous_visits: count } of overview.top_statuses) {
      expect(count).toBe(previousVisits.filter((visit) => visit.status === status).length);
    }
    const { agents: listed } = await read(`/projects/${id}/agents?${query}`);
    for (const { agent_token: token, previous_visits: count } of listed) {
      expect(count).toBe(previousVisits.filter(ofAgent(token)).length);
    }
    const gptbot = await read(`/projects/${id}/agents/${agentId('GPTBot')}?${query}`);
    const ofGptbot = previousVisits.filter(ofAgent('GPTBot'));
    expect(gptbot.previous_visits).toBe(ofGptbot.length);
    expect(pluckNumbers(gptbot.previous_series)).toEqual(
      starts.map((first: number, item: number) => within(first, starts[item + 1] ?? start + length, ofGptbot).length),
    );
  });

  it('returns no comparison if compare_from is none', async () => {
    const visits = createVisitsEvery(127, '2025-10-10T00:00:00Z', 300).map((visit, index) => ({
      ...visit,
      path: `/${index % 7}`,
      status: 200,
      ...(index % 2 && GPTBOT),
    }));
    const id = await project('Asia/Kathmandu', visits);
    const query = 'from=2025-10-10T05:15:00Z&to=2025-10-10T08:00:00Z&compare_from=none';
    for (const filter of ['', '&visitors=agents', '&agent=GPTBot', '&status=200']) {
      const overview = await read(`/projects/${id}/overview?${query}${filter}`);
      expect(overview.compared_from).toBe(overview.compared_to);
      expect(overview.current.visits).toBeGreaterThan(0);
      expect([overview.previous.visits, overview.previous_series]).toEqual([0, []]);
      for (const { previous_visits: count = 0 } of overview.top_agents.concat(overview.top_pages))
        expect(count).toBe(0);
    }
    const { agents } = await read(`/projects/${id}/agents?${query}`);
    expect(agents).toMatchObject([{ agent_token: 'GPTBot', previous_visits: 0 }]);
    const gptbot = await read(`/projects/${id}/agents/${agentId('GPTBot')}?${query}`);
    expect([gptbot.visits, gptbot.previous_visits, gptbot.previous_series]).toEqual([agents[0].visits, 0, []]);
  });

  // St. John's has a half-hour UTC offset, so items start within a UTC hour. It also observes daylight saving time.
  it.each(['UTC', 'America/St_Johns'])('counts visits by week and month in %s', async (zone) => {
    const [from, to] = ['2025-07-02T00:00:00Z', '2026-11-20T12:00:00Z'];
    const agents = [GPTBOT, CLAUDEBOT, undefined];
    const visits = createVisitsEvery(53 * 60 + 7, from, 220).map((visit, index) => ({
      ...visit,
      ...agents[index % 3],
    }));
    // Add visits just before and after a week or month starts.
    for (const start of ['2026-03-02T03:30:00Z', '2026-07-01T02:30:00Z', '2026-10-05T00:00:00Z']) {
      for (const minutes of [-1, 0, 1]) {
        visits.push({ at: new Date(Date.parse(start) + minutes * 60_000).toISOString(), ...GPTBOT });
      }
    }
    const id = await project(zone, visits);
    const expectSeries = ({ series }: Json, range: { from: string; to: string }, agent?: string): void => {
      const counted = visits.filter((visit) => agent === undefined || ('agent' in visit && visit.agent === agent));
      const starts = series.map(({ time }: Json, item: number) => Date.parse(item === 0 ? range.from : time));
      const expected = starts.map((start: number, item: number) => {
        const end = starts[item + 1] ?? Date.parse(range.to);
        return counted.filter(({ at }) => Date.parse(at) >= start && Date.parse(at) < end).length;
      });
      expect(pluckNumbers(series)).toEqual(expected);
    };
    for (const [bucket, range] of [
      ['1w', { from, to }],
      ['1w', { from: '2026-02-10T05:15:00Z', to: '2026-08-20T19:45:00Z' }],
      ['1mo', { from: '2024-09-10T00:00:00Z', to }],
    ] as const) {
      const query = new URLSearchParams(range);
      const overview = await read(`/projects/${id}/overview?${query}`);
      expect(overview.bucket).toBe(bucket);
      expectSeries(overview, range);
      expectSeries(await read(`/projects/${id}/agents/${agentId('GPTBot')}?${query}`), range, 'GPTBot');
      const sum = pluckNumbers(overview.series).reduce((all, one) => all + one, 0);
      expect(overview.current.visits).toBe(sum);
    }
  });

  it('combines less frequent pages into one item', async () => {
    const many = Array.from({ length: 30 }, (_, page) =>
      createVisitsEvery(1, '2026-11-21T01:00Z', 30 - page, { path: `/${page}` }),
    );
    const id = await project('UTC', many.flat());
    const { top_pages: pages, current } = await read(`/projects/${id}/overview`);
    expect(pages).toHaveLength(11);
    expect(pages[0]).toEqual({ path: '/0', visits: 30, previous_visits: 0 });
    expect(pages.at(-1)).toEqual({ path: '', visits: (20 * 21) / 2 });
    expect(pluckNumbers(pages).reduce((sum, visits) => sum + visits, 0)).toBe(current.visits);
  });

  it('defaults to the last day, and returns empty lists for a range without visits', async () => {
    const id = await project('UTC', createVisitsEvery(60, '2026-11-19T23:30Z', 34));
    expect(await read(`/projects/${id}/overview`)).toMatchObject({
      from: '2026-11-20T08:30:00.000Z',
      to: '2026-11-21T08:45:00.000Z',
      current: { visits: 25 },
      previous: { visits: 9 },
    });
    expect(await read(`/projects/${id}/overview?from=2025-01-01&to=2025-01-02`)).toMatchObject({
      current: { visits: 0, agents: 0 },
      top_agents: [],
      top_pages: [],
    });
  });

  it.each([
    ['from=2026-11-21&to=2026-11-20', '/from'],
    ['from=2026-11-21&to=2026-11-21', '/from'],
    ['from=2006-01-01', '/from'],
    ['compare_from=last', '/compare_from'],
    ['to=soon', '/to'],
    ['color=red', '/color'],
  ])('rejects a statistics query with %s', async (query, pointer) => {
    const id = await project('UTC', []);
    for (const resource of ['overview', 'news', 'agents', `agents/${agentId('GPTBot')}`, 'verification']) {
      const { status, body } = await app.api('GET', `/projects/${id}/${resource}?${query}`);
      expect([resource, status, body.errors?.[0]?.pointer]).toEqual([resource, 422, pointer]);
    }
  });
});

describe('GET /api/projects/{id}/agents', () => {
  const RANGE = 'from=2026-11-20&to=2026-11-21';
  let id: string;
  beforeAll(async () => {
    id = await project('UTC', [
      ...createVisitsEvery(60, '2026-11-20T00:00Z', 10, { ...GPTBOT, result: 'verified' }),
      ...createVisitsEvery(60, '2026-11-20T12:30:01.5Z', 4, { ...CLAUDEBOT, result: 'verification_failed' }),
      ...createVisitsEvery(60, '2026-11-20T05:00Z', 4, GONEBOT),
      ...createVisitsEvery(60, '2026-11-20T05:00Z', 3),
      ...createVisitsEvery(60, '2026-11-19T05:00Z', 6, GPTBOT),
      // Visits just outside both ranges.
      { at: '2026-11-21T00:00Z', ...GPTBOT },
      { at: '2026-11-18T23:59:59.999Z', ...GPTBOT },
    ]);
  });
  const tokens = async (query: string): Promise<(string | null)[]> =>
    (await read(`/projects/${id}/agents?${RANGE}&${query}`)).agents.map((agent: Json) => agent.agent_token);

  it('lists visiting agents with their visits in the previous range and a chart series', async () => {
    const { agents, next_cursor: next, bucket } = await read(`/projects/${id}/agents?${RANGE}`);
    expect([bucket, next]).toEqual(['15m', null]);
    expect(agents).toHaveLength(3);
    const { series, ...gptbot } = agents[0];
    expect(gptbot).toEqual({
      agent_id: agentId('GPTBot'),
      agent_token: 'GPTBot',
      agent_type_name: 'AI Data Scraper',
      operator_name: 'OpenAI',
      agent_url: 'https://developers.openai.com/api/docs/bots',
      is_verifiable: true,
      visits: 10,
      previous_visits: 6,
      verified: 10,
      verification_failed: 0,
      last_seen_at: '2026-11-20T09:00:00.000Z',
    });
    expect(series).toHaveLength(96);
    expect(series.flatMap((visits: number, item: number) => (visits > 0 ? item : []))).toEqual([
      0, 4, 8, 12, 16, 20, 24, 28, 32, 36,
    ]);
    // Times have millisecond precision. Agents that left the catalog get the names stored in their visits.
    expect(agents.find((agent: Json) => agent.agent_token === 'ClaudeBot').last_seen_at).toBe(
      '2026-11-20T15:30:01.500Z',
    );
    expect(agents.find((agent: Json) => agent.agent_token === 'GoneBot')).toMatchObject({
      operator_name: 'Nobody',
      agent_type_name: 'Fetcher',
      visits: 4,
    });
  });

  it('sorts, filters and paginates agents', async () => {
    expect(await tokens('sort=last_seen')).toEqual(['ClaudeBot', 'GPTBot', 'GoneBot']);
    expect(await tokens('sort=token')).toEqual(['ClaudeBot', 'GoneBot', 'GPTBot']);
    expect(await tokens('search=BOT&operator=Nobody')).toEqual(['GoneBot']);
    expect(await tokens('search=anthro')).toEqual(['ClaudeBot']);
    expect((await tokens('type=AI Data Scraper&type=SEO Crawler')).toSorted()).toEqual(['ClaudeBot', 'GPTBot']);
    expect((await tokens('sort=type')).at(-1)).toBe('GoneBot');
    expect(await tokens('sort=operator')).toEqual(['ClaudeBot', 'GoneBot', 'GPTBot']);
    expect(await tokens('sort=operator&direction=descending')).toEqual(['GPTBot', 'GoneBot', 'ClaudeBot']);
    expect((await tokens('sort=visits&direction=ascending')).at(-1)).toBe('GPTBot');
    // Agents that can't be verified have no share of verified visits, so they come last.
    expect(await tokens('sort=verified')).toEqual(['GPTBot', 'ClaudeBot', 'GoneBot']);
    expect((await tokens('sort=spoofed'))[0]).toBe('ClaudeBot');
    for (const sort of ['visits', 'last_seen', 'token', 'verified', 'operator', 'visits&direction=ascending']) {
      const paged: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: Json = await read(`/projects/${id}/agents?${RANGE}&sort=${sort}&limit=1&cursor=${cursor}`);
        paged.push(...page.agents.map((agent: Json) => agent.agent_token));
        cursor = page.next_cursor;
      }
      expect(paged).toEqual(await tokens(`sort=${sort}`));
    }
    const { status, body } = await app.api('GET', `/projects/${id}/agents?sort=token&cursor=WzFd`);
    expect([status, body.errors[0].pointer]).toEqual([422, '/cursor']);
  });
});

describe('GET /api/projects/{id}/agents/{agentId}', () => {
  it("returns one agent's activity", async () => {
    const id = await project('UTC', [
      ...createVisitsEvery(60, '2026-11-20T00:00Z', 5, {
        ...GPTBOT,
        result: 'verified',
        address: '192.0.2.1',
        path: '/a?b',
      }),
      ...createVisitsEvery(60, '2026-11-20T00:10Z', 2, {
        ...GPTBOT,
        result: 'verification_failed',
        address: '198.51.100.9',
      }),
      { at: '2026-11-20T23:59Z', ...GPTBOT, method: 'POST', status: 500, path: '/c' },
      ...createVisitsEvery(60, '2026-11-20T00:00Z', 9, { ...CLAUDEBOT, method: 'PUT', path: '/other' }),
    ]);
    const response = await read(`/projects/${id}/agents/${agentId('GPTBot')}?from=2026-11-20&to=2026-11-21`);
    expect(response).toMatchObject({
      agent_token: 'GPTBot',
      visits: 8,
      previous_visits: 0,
      verified: 5,
      verification_failed: 2,
      last_seen_at: '2026-11-20T23:59:00.000Z',
      is_sampled: false,
      top_pages: [
        { path: '/a', visits: 5 },
        { path: '/', visits: 2 },
        { path: '/c', visits: 1 },
      ],
      top_statuses: [
        { status: 200, visits: 7 },
        { status: 500, visits: 1 },
      ],
      addresses: [
        { address: '192.0.2.1', network: '192.0.2.0/24', visits: 5, result: 'verified' },
        { address: '198.51.100.9', visits: 2, result: 'verification_failed' },
        { address: null, visits: 1, result: 'not_verifiable' },
      ],
      methods: [
        { method: 'GET', visits: 7 },
        { method: 'POST', visits: 1 },
      ],
    });
    expect(response.series[0]).toEqual({
      time: '2026-11-20T00:00:00.000Z',
      visits: 2,
      verified: 1,
      verification_failed: 1,
    });
  });

  it('returns a catalog agent that has no visits, and 404 for an unknown agent', async () => {
    const id = await project('UTC', []);
    expect(await read(`/projects/${id}/agents/${agentId('GPTBot')}`)).toMatchObject({ visits: 0, last_seen_at: null });
    for (const path of [agentId('GoneBot'), 'GPTBot']) {
      expect((await app.api('GET', `/projects/${id}/agents/${path}`)).status).toBe(404);
    }
  });

  it('reads only the newest visits if there are too many, and sets is_sampled', async () => {
    const id = await project('UTC', []);
    for (const [path, count, hour] of [
      ['/old', 3, '01'],
      ['/new', 2_500, '02'],
      ['/newer', 2_500, '03'],
    ] as const) {
      const visits = createVisitsEvery(0, `2026-11-20T${hour}:00Z`, count, {
        ...GPTBOT,
        path,
        result: 'verification_failed',
      });
      await storeVisits(app.database.dataSource, id, NOW, visits);
    }
    const response = await read(`/projects/${id}/agents/${agentId('GPTBot')}?from=2026-11-20`);
    expect(response).toMatchObject({ visits: 5_003, is_sampled: true });
    expect(pluckNumbers(response.top_pages)).toEqual([2_500, 2_500]);
    expect(await read(`/projects/${id}/verification?from=2026-11-20`)).toMatchObject({
      is_sampled: true,
      spoofs: [{ visits: 5_000 }],
    });
  });
});

describe('GET /api/projects/{id}/verification', () => {
  it('returns results over time and groups failures by agent and network', async () => {
    const failed = { result: 'verification_failed', reason: 'not_in_published_ranges' } as const;
    const id = await project('UTC', [
      ...createVisitsEvery(60, '2026-11-20T00:00Z', 2, { ...GPTBOT, result: 'verified', address: '192.0.2.1' }),
      ...createVisitsEvery(60, '2026-11-20T00:00Z', 3, CLAUDEBOT),
      ...createVisitsEvery(60, '2026-11-20T00:00Z', 9),
      ...createVisitsEvery(60, '2026-11-20T00:00Z', 3, { ...GPTBOT, ...failed, address: '198.51.100.1', path: '/x?1' }),
      ...createVisitsEvery(60, '2026-11-20T00:30Z', 2, { ...GPTBOT, ...failed, address: '198.51.100.200', path: '/y' }),
      ...createVisitsEvery(60, '2026-11-20T05:00Z', 1, {
        ...GPTBOT,
        ...failed,
        address: '203.0.113.5',
        reason: 'expired',
      }),
      ...createVisitsEvery(60, '2026-11-20T06:00Z', 4, {
        ...CLAUDEBOT,
        ...failed,
        address: '2001:db8:1:2::3',
        path: '/z',
      }),
      // A visit before the range.
      { at: '2026-11-19T23:59Z', ...GPTBOT, ...failed, address: '198.51.100.1' },
    ]);
    const {
      series,
      spoofs,
      reasons,
      is_sampled: isSampled,
      has_network_names: hasNetworkNames,
    } = await read(`/projects/${id}/verification?from=2026-11-20&to=2026-11-21`);
    expect([isSampled, hasNetworkNames]).toEqual([false, false]);
    expect(reasons).toEqual([
      { reason: 'not_in_published_ranges', visits: 9 },
      { reason: 'expired', visits: 1 },
    ]);
    expect(series).toHaveLength(96);
    expect(series[0]).toEqual({
      time: '2026-11-20T00:00:00.000Z',
      verified: 1,
      verification_failed: 1,
      not_verifiable: 1,
    });
    expect(
      ['verified', 'verification_failed', 'not_verifiable'].map((name) =>
        pluckNumbers(series, name).reduce((a, b) => a + b),
      ),
    ).toEqual([2, 10, 3]);
    const unverifiable = await read(`/projects/${id}/verification?from=2026-11-20&to=2026-11-21&result=not_verifiable`);
    expect(unverifiable.spoofs).toMatchObject([{ agent_token: 'ClaudeBot', visits: 3 }]);
    expect(spoofs).toEqual([
      {
        agent_id: agentId('GPTBot'),
        agent_token: 'GPTBot',
        agent_type_name: 'AI Data Scraper',
        operator_name: 'OpenAI',
        client_network: null,
        networks: [{ prefix: '198.51.100.0/24', visits: 5 }],
        network_count: 1,
        host_names: [],
        visits: 5,
        paths: ['/x', '/y'],
        reason: 'not_in_published_ranges',
        last_seen_at: '2026-11-20T02:00:00.000Z',
      },
      expect.objectContaining({ agent_token: 'ClaudeBot', networks: [{ prefix: '2001:db8:1::/48', visits: 4 }] }),
      expect.objectContaining({
        agent_token: 'GPTBot',
        networks: [{ prefix: '203.0.113.0/24', visits: 1 }],
        reason: 'expired',
      }),
    ]);
  });
});

describe('recent activity', () => {
  it('summarizes the last day for every project the key can read', async () => {
    const id = await project('Asia/Kathmandu', [
      { at: '2026-11-21T08:31:04.567Z', ...GPTBOT, result: 'verified' },
      { at: '2026-11-21T07:44:59Z', ...GPTBOT, result: 'verification_failed' },
      { at: '2026-11-20T09:00:00Z' },
      { at: '2026-11-20T08:45:00Z' },
      { at: '2026-11-20T08:44:59Z' },
    ]);
    const old = await project('UTC', [{ at: '2026-10-01T00:00:01Z' }]);
    const none = await project('UTC', []);
    const { summaries } = await read('/project-summaries');
    const of = (project: string): Json => summaries.find((one: Json) => one.project_id === project);
    const hours = Array.from({ length: 24 }, () => 0);
    expect(of(id)).toEqual({
      project_id: id,
      first_visit_at: '2026-11-20T08:30:00.000Z',
      last_visit_at: '2026-11-21T08:31:04.567Z',
      has_tools: false,
      has_payments: false,
      visits: 4,
      agent_visits: 2,
      verified: 1,
      verification_failed: 1,
      hours: hours.with(22, 1).with(23, 1),
    });
    expect(of(old)).toMatchObject({ last_visit_at: '2026-10-01T00:00:01.000Z', visits: 0, hours });
    expect(of(none)).toMatchObject({ first_visit_at: null, last_visit_at: null, visits: 0, hours });

    const { body: limited } = await app.api('POST', '/api-keys', { project_ids: [old] });
    const response = await app.send('GET', '/api/project-summaries', undefined, {
      authorization: `Bearer ${limited.key}`,
    });
    expect(response.body.summaries.map((one: Json) => one.project_id)).toEqual([old]);
  });

  it('counts visits in the last hour by minute', async () => {
    const id = await project('UTC', [
      { at: '2026-11-21T08:31:00Z', ...GPTBOT, result: 'verified' },
      { at: '2026-11-21T08:31:04Z', ...GPTBOT, result: 'verification_failed' },
      { at: '2026-11-21T08:31:05Z' },
      { at: '2026-11-21T08:30:59.999Z' },
      { at: '2026-11-21T07:32:00Z' },
      { at: '2026-11-21T07:31:59.999Z' },
    ]);
    const { minutes, is_sampled: isSampled } = await read(`/projects/${id}/histogram`);
    expect([minutes.length, isSampled]).toEqual([60, false]);
    expect(withVisits(minutes)).toEqual([
      { time: '2026-11-21T07:32:00.000Z', visits: 1, agents: 0, verified: 0, verification_failed: 0 },
      { time: '2026-11-21T08:30:00.000Z', visits: 1, agents: 0, verified: 0, verification_failed: 0 },
      { time: '2026-11-21T08:31:00.000Z', visits: 3, agents: 2, verified: 1, verification_failed: 1 },
    ]);
    const filtered = async (filters: string) =>
      withVisits((await read(`/projects/${id}/histogram?${filters}`)).minutes);
    expect(await filtered('agent=GPTBot&result=verified')).toEqual([
      { time: '2026-11-21T08:31:00.000Z', visits: 1, agents: 1, verified: 1, verification_failed: 0 },
    ]);
    expect(await filtered('path=/nothing')).toEqual([]);
  });
});

it("returns 404 for projects the key can't read", async () => {
  const mine = await project('UTC', []);
  const theirs = await project('UTC', createVisitsEvery(1, '2026-11-21T08:00Z', 3, GPTBOT));
  const { body: limited } = await app.api('POST', '/api-keys', { project_ids: [mine] });
  for (const resource of ['overview', 'news', 'agents', `agents/${agentId('GPTBot')}`, 'verification', 'histogram']) {
    for (const [id, status] of [
      [theirs, 404],
      ['00000000-0000-7000-8000-000000000000', 404],
      [mine, 200],
    ]) {
      const headers = { authorization: `Bearer ${limited.key}` };
      const response = await app.send('GET', `/api/projects/${id}/${resource}`, undefined, headers);
      expect([resource, response.status]).toEqual([resource, status]);
    }
  }
  const gone = await app.api('GET', `/projects/00000000-0000-7000-8000-000000000000/histogram`);
  expect(gone.status).toBe(404);
});
