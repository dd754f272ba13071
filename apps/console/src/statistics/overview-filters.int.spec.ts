import { constantFrom, integer, option, record, sample } from 'fast-check';
import { agentId } from '#libs/catalog';
import { getOverview, completeQuery, OVERVIEW_BREAKDOWNS, type Overview } from '#libs/contracts';
import { readQuery } from '#libs/platform';
import { App } from '../../../../test/kit/app.js';
import '../../../../test/kit/dispose-all.js';
import { isFullRun } from '../../../../test/kit/faults.js';
import { storeVisits, rollUpCounts, type StoredVisit } from '../../../../test/kit/stored-visits.js';
import { deleteUnknownVisits, onlyInPostgres } from '../../../../test/kit/visit-store.js';
import { OverviewService } from './overview.service.js';
import { resolveComparisonRange, resolveRange, createSeries, type TimeRange } from './time-range.js';

const NOW = Date.parse('2026-11-21T08:31:05Z');
const DAY_MS = 86_400_000;
const FROM = Date.parse('2026-11-17T09:15:00Z');
const TO = Date.parse('2026-11-21T00:00:00Z');

/** Catalog agents, followed by one that isn't in the catalog. */
const AGENTS = [
  { agent: 'GPTBot', type: 'AI Data Scraper', operator: 'OpenAI' },
  { agent: 'ClaudeBot', type: 'AI Data Scraper', operator: 'Anthropic' },
  { agent: 'Googlebot', type: 'Search Engine Crawler', operator: 'Google' },
  { agent: 'GoneBot', type: 'Fetcher' },
];
const RESULTS = ['verified', 'verification_failed', 'not_verifiable'] as const;

const VISIT = record({
  at: integer({ min: 2 * FROM - TO - DAY_MS, max: TO + DAY_MS / 4 }),
  who: option(record({ agent: constantFrom(...AGENTS), result: constantFrom(...RESULTS) })),
  path: constantFrom('/', '/a', '/a?b', '/b', '/b/c?d'),
  status: option(constantFrom(200, 301, 404, 500)),
}).map(({ at, who, path, status }) => ({
  at: new Date(at).toISOString(),
  path,
  ...(who === null ? {} : { ...who.agent, result: who.result }),
  ...(status === null ? { extra: { response_status_code: null } } : { status }),
}));
const VISITS: StoredVisit[] = sample(VISIT, { numRuns: 1_500, seed: 16 });

/** The visit property that each filter tests, and sample values. */
const FILTERS: Record<string, { of: (visit: StoredVisit) => unknown; values: string[] }> = {
  agent: { of: ({ agent }) => agent, values: ['GPTBot', 'GoneBot'] },
  type: { of: ({ type }) => type, values: ['AI Data Scraper', 'Fetcher'] },
  operator: { of: ({ operator }) => operator, values: ['OpenAI', 'Google', 'Anthropic'] },
  result: { of: ({ agent, result }) => (agent ? result : 'unknown_agent'), values: [...RESULTS, 'unknown_agent'] },
  page: { of: ({ path }) => path!.split('?')[0], values: ['/', '/a', '/b'] },
  status: { of: ({ status }) => (status === undefined ? undefined : String(status)), values: ['200', '404', '500'] },
};

let app: App;
let id: string;
beforeAll(async () => {
  app = await App.start({ clock: () => NOW });
  id = (await app.api('POST', '/projects', { name: 'Shop', time_zone: 'Europe/Berlin' })).body.id;
  await storeVisits(app.database.dataSource, id, NOW, VISITS);
  // Rolls up older visits by hour and day, but not the newest ones.
  await rollUpCounts(app.database.dataSource, TO - DAY_MS / 2);
});

type FilterQuery = Record<string, string[]>;

/**
 * Yields combinations in which each filter is set, negated or absent. With `FAULTS=full`, yields every combination.
 * Otherwise, derives the last two filters from the others, which still covers every combination of any three filters.
 */
function* combinations(): Generator<FilterQuery> {
  const names = Object.keys(FILTERS);
  for (let number = 0; number < 3 ** names.length; number += 1) {
    const asked: FilterQuery = {};
    const kinds = names.map((_, position) => Math.floor(number / 3 ** position) % 3);
    const [a, b, c, d, e, f] = kinds as [number, number, number, number, number, number];
    if (!isFullRun && ((a + b + c + e) % 3 !== 0 || (a + 2 * b + d + f) % 3 !== 0)) continue;
    for (const [position, name] of names.entries()) {
      const kind = kinds[position]!;
      if (kind === 0) continue;
      const { values } = FILTERS[name]!;
      const first = (number + position) % values.length;
      asked[kind === 1 ? name : `not_${name}`] = [values[first]!, ...(number % 2 ? [values.at(first - 1)!] : [])];
    }
    yield asked;
  }
}

const matchesFilters = (visit: StoredVisit, asked: FilterQuery): boolean =>
  Object.entries(asked).every(([key, values]) => {
    const isIncluded = values.includes(FILTERS[key.replace('not_', '')]!.of(visit) as string);
    return key.startsWith('not_') ? !isIncluded : isIncluded;
  });

const visitsBetween = (visits: readonly StoredVisit[], from: number, to: number): StoredVisit[] =>
  visits.filter(({ at }) => Date.parse(at) >= from && Date.parse(at) < to);

function countBy(visits: readonly StoredVisit[], of: (visit: StoredVisit) => unknown): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const visit of visits) {
    const name = of(visit);
    if (name !== undefined) counts[String(name)] = (counts[String(name)] ?? 0) + 1;
  }
  return counts;
}

function totals(visits: readonly StoredVisit[]): object {
  const agents = visits.filter(({ agent }) => agent);
  const results = countBy(visits, FILTERS['result']!.of);
  return {
    visits: visits.length,
    agent_visits: agents.length,
    agents: new Set(agents.map(({ agent }) => agent)).size,
    verified: results['verified'] ?? 0,
    verification_failed: results['verification_failed'] ?? 0,
    not_verifiable: results['not_verifiable'] ?? 0,
    unknown_agent: results['unknown_agent'] ?? 0,
  };
}

/** Returns the actual and the expected counts. */
function compared(overview: Overview, asked: FilterQuery, visitors: string, breakdown: string): [object, object] {
  const all = VISITS.filter((visit) => matchesFilters(visit, asked));
  const visitsInRange = visitsBetween(all, FROM, TO);
  const listed = visitors === 'agents' ? visitsInRange.filter(({ agent }) => agent) : visitsInRange;
  const byName = (list: readonly { visits: number }[], name: string): object =>
    Object.fromEntries(list.map((row) => [(row as Record<string, unknown>)[name], row.visits]));
  const days = overview.series.map(({ time }, index) => {
    const end = overview.series[index + 1]?.time;
    const visits = visitsBetween(visitsInRange, Date.parse(time), end === undefined ? TO : Date.parse(end));
    const listedVisits = visitors === 'agents' ? visits.filter(({ agent }) => agent) : visits;
    return {
      time,
      visits: visits.length,
      by_type: countBy(visits, ({ type }) => type ?? ''),
      ...(breakdown !== 'type' && { by_result: countBy(visits, FILTERS['result']!.of) }),
      ...(breakdown === 'status' && {
        by_status: countBy(listedVisits, ({ status }) => (status === undefined ? '' : `${String(status)[0]}xx`)),
      }),
      ...(breakdown === 'agent' && {
        by_agent: countBy(visits, ({ agent }) => (agent === undefined ? undefined : agentId(agent))),
      }),
    };
  });
  return [
    {
      current: overview.current,
      previous: overview.previous,
      series: overview.series,
      agents: byName(overview.top_agents, 'agent_token'),
      operators: byName(overview.top_operators, 'operator_name'),
      pages: byName(overview.top_pages, 'path'),
      statuses: byName(overview.top_statuses, 'status'),
    },
    {
      current: totals(visitsInRange),
      previous: totals(visitsBetween(all, 2 * FROM - TO, FROM)),
      series: days,
      agents: countBy(visitsInRange, ({ agent }) => agent),
      operators: countBy(visitsInRange, ({ operator }) => operator),
      pages: countBy(listed, FILTERS['page']!.of),
      statuses: countBy(listed, FILTERS['status']!.of),
    },
  ];
}

const RANGE = `from=${new Date(FROM).toISOString()}&to=${new Date(TO).toISOString()}`;

async function overview(query: string): Promise<Overview> {
  const { status, body, text } = await app.api('GET', `/projects/${id}/overview?${RANGE}&${query}`);
  if (status !== 200) throw new Error(`${status} ${text}`);
  return body as Overview;
}

const toQueryString = (asked: FilterQuery): string =>
  new URLSearchParams(
    Object.entries(asked).flatMap(([key, values]) => values.map((value): [string, string] => [key, value])),
  ).toString();

describe('overview with filters', () => {
  it('counts matching visits for every combination of filters', async () => {
    let count = 0;
    for (const asked of combinations()) {
      const visitors = count % 2 === 0 ? 'agents' : 'all';
      const breakdown = OVERVIEW_BREAKDOWNS[Math.floor(count / 2) % OVERVIEW_BREAKDOWNS.length]!;
      const query = `${toQueryString(asked)}&visitors=${visitors}&breakdown=${breakdown}`;
      const [actual, expected] = compared(await overview(query), asked, visitors, breakdown);
      expect([query, actual]).toEqual([query, expected]);
      count += 1;
    }
    expect(count).toBe(isFullRun ? 729 : 81);
  }, 300_000);

  it.each(['status', 'agent', 'result'] as const)(
    'compares visits by %s if the counts are exact',
    async (breakdown) => {
      const field = `by_${breakdown}` as const;
      const before = visitsBetween(VISITS, 2 * FROM - TO, FROM).filter(({ agent }) => agent !== undefined);
      const sum = ({ previous_series: series }: Overview): number =>
        series.flatMap((item) => Object.values(item[field] ?? {})).reduce((total, visits) => total + visits, 0);
      const all = await overview(`visitors=agents&breakdown=${breakdown}`);
      const unknownVisits = breakdown === 'result' ? all.previous.unknown_agent : 0;
      expect(sum(all)).toBe(before.length + unknownVisits);
      const filtered = await overview(`visitors=agents&type=Fetcher&breakdown=${breakdown}`);
      const fetches = before.filter(({ type }) => type === 'Fetcher');
      expect(sum(filtered)).toBe(fetches.length);
    },
  );

  it('describes the sample of stored visits', async () => {
    const inRange = visitsBetween(VISITS, FROM, TO);
    for (const query of ['', 'visitors=all', 'visitors=agents']) expect((await overview(query)).sample).toBeNull();
    const sample = { is_estimated: false, not_stored: 0 };
    const fetcherVisits = inRange.filter(({ type }) => type === 'Fetcher').length;
    expect((await overview('visitors=agents&type=Fetcher')).sample).toEqual({
      ...sample,
      of: 'lists',
      visits: fetcherVisits,
      visits_read: fetcherVisits,
    });
    expect((await overview('visitors=agents&page=/a')).sample).toEqual({
      ...sample,
      of: 'all',
      visits: inRange.length,
      visits_read: inRange.length,
    });
    const gptbot = inRange.filter(({ agent }) => agent === 'GPTBot').length;
    expect((await overview('agent=gptbot&status=4xx')).sample).toMatchObject({ visits: gptbot, visits_read: gptbot });
    expect((await overview(`agent=${agentId('GPTBot')}`)).current).toMatchObject({ visits: gptbot });
    expect(await overview('agent=nobody')).toMatchObject({ current: { visits: 0 }, top_pages: [], top_agents: [] });
  });

  it("supports the timeline's other filters in the overview", async () => {
    const visitsInRange = visitsBetween(VISITS, FROM, TO);
    const slashB = visitsInRange.filter(({ path }) => path!.startsWith('/b')).length;
    expect((await overview('path=/b')).current.visits).toBe(slashB);
    expect((await overview('not_path=/b')).current.visits).toBe(visitsInRange.length - slashB);
    expect((await overview('kind=mcp')).current.visits).toBe(0);
  });

  it.each([
    ['status=x', '/status'],
    ['not_status=x', '/not_status'],
    ['not_result=sure', '/not_result'],
    ['visitors=people', '/visitors'],
    ['not_from=2026-11-21', '/not_from'],
  ])('rejects an overview query with %s', async (query, pointer) => {
    const { status, body } = await app.api('GET', `/projects/${id}/overview?${query}`);
    expect([status, body.errors?.[0]?.pointer]).toEqual([422, pointer]);
  });

  it('reports the number of visits that are no longer stored, and counts the rest', async () => {
    const { body } = await app.api('POST', '/projects', { name: 'Counted' });
    const visits = [...visitsBetween(VISITS, FROM, TO)];
    await storeVisits(app.database.dataSource, body.id, NOW, visits);
    // Visits by unknown visitors have a shorter retention period.
    await deleteUnknownVisits(app.database.dataSource, body.id);
    const response = await app.api('GET', `/projects/${body.id}/overview?${RANGE}&page=/a`);
    const [agents, pages] = [visits.filter(({ agent }) => agent), FILTERS['page']!.of];
    expect(response.body).toMatchObject({
      current: { visits: agents.filter((visit) => pages(visit) === '/a').length, unknown_agent: 0 },
      sample: { visits: visits.length, visits_read: agents.length, not_stored: visits.length - agents.length },
    });
    const query = `${RANGE}&not_agent=nobody&breakdown=status`;
    const { body: listed } = await app.api('GET', `/projects/${body.id}/overview?${query}`);
    expect(listed.sample).toMatchObject({ of: 'lists', not_stored: visits.length - agents.length });
    const notStored = listed.series.map((item: Overview['series'][number]) => item.by_status!['not_stored'] ?? 0);
    expect(notStored.reduce((sum: number, count: number) => sum + count)).toBe(visits.length - agents.length);
    // Pages can't be compared if some visits are missing.
    expect(listed.top_pages[0]).not.toHaveProperty('previous_visits');
  });
});

describe('overview estimated from a sample', () => {
  const LIMITS = { exact: 1_000, sampled: 1_000, slices: 48 };
  const VISITS_PER_DAY = 2_000;
  const DAYS = 10;
  let busyProjectId: string;

  beforeAll(async () => {
    busyProjectId = (await app.api('POST', '/projects', { name: 'Busy' })).body.id;
    for (let day = 0; day < DAYS; day += 1) {
      const visits = Array.from({ length: VISITS_PER_DAY }, (_, index): StoredVisit => {
        const at = new Date(NOW - (day + index / VISITS_PER_DAY) * DAY_MS).toISOString();
        const path = ['/', '/a', '/b', '/b', '/c?d'][(index * 7) % 5]!;
        if (index % 4 === 3) return { at, path };
        return {
          at,
          path,
          ...AGENTS[(index * 11) % 3]!,
          result: index % 40 === 0 ? 'verification_failed' : 'verified',
        };
      });
      await storeVisits(app.database.dataSource, busyProjectId, NOW, visits);
    }
    await rollUpCounts(app.database.dataSource, NOW);
  });

  const readExactAndEstimated = async (query: string): Promise<[exact: Overview, estimated: Overview]> => {
    const parameters = Object.groupBy([...new URLSearchParams(query)], ([name]) => name);
    const texts = Object.fromEntries(
      Object.entries(parameters).map(([name, values]) => [name, values!.map(([, value]) => value)]),
    );
    const { visitors, breakdown, ...filters } = completeQuery(getOverview, readQuery(getOverview, texts));
    const range = resolveRange({ from: NOW - DAYS * DAY_MS, to: NOW }, NOW);
    const asked = { filters: { ...filters, from: null, to: null }, visitors, breakdown };
    const service = app.nest.get(OverviewService);
    const seriesIn = (asked: TimeRange) => createSeries(asked, 'Asia/Kathmandu');
    const compared = { current: seriesIn(range), previous: seriesIn(resolveComparisonRange(range, null)) };
    return [
      await service.overview(busyProjectId, compared, asked),
      await service.overview(busyProjectId, compared, asked, LIMITS),
    ];
  };

  // ClickHouse counts all stored visits.
  onlyInPostgres(() => {
    it('estimates an overview to within four standard errors of the exact one', async () => {
      for (const query of ['page=/b', 'not_page=/b', 'page=/b&visitors=agents', 'page=/b&agent=GPTBot', 'status=200']) {
        const [exact, estimated] = await readExactAndEstimated(query);
        expect([query, exact.sample!.is_estimated, estimated.sample!.is_estimated]).toEqual([query, false, true]);
        const { visits_read: read, visits } = estimated.sample!;
        expect(visits).toBe(exact.sample!.visits);
        expect(read).toBeGreaterThan(0.7 * LIMITS.sampled);
        expect(read).toBeLessThan(1.5 * LIMITS.sampled);
        for (const name of ['visits', 'agent_visits', 'unknown_agent'] as const) {
          const share = exact.current[name] / visits;
          const error = visits * Math.sqrt((share * (1 - share)) / read);
          expect(Math.abs(estimated.current[name] - exact.current[name])).toBeLessThanOrEqual(4 * error + 1);
        }
        const sum = estimated.series.reduce((all, item) => all + item.visits, 0);
        expect(Math.abs(sum - estimated.current.visits)).toBeLessThan(0.01 * visits);
      }
    });

    it('returns exact totals and estimated lists if counts cover the filters', async () => {
      for (const query of ['agent=GPTBot', 'not_agent=GPTBot&visitors=agents', 'type=AI+Data+Scraper']) {
        const [exact, estimated] = await readExactAndEstimated(query);
        expect(estimated.sample).toMatchObject({ of: 'lists', is_estimated: true, not_stored: 0 });
        for (const name of ['current', 'previous', 'series', 'top_agents', 'top_operators'] as const) {
          expect(estimated[name]).toEqual(exact[name]);
        }
        const top = exact.top_pages[0]!;
        const found = estimated.top_pages.find(({ path }) => path === top.path)!;
        expect(Math.abs(found.visits - top.visits) / top.visits).toBeLessThan(0.2);
      }
    });
  });

  it('reads all failed verifications if there are few', async () => {
    const [exact, estimated] = await readExactAndEstimated('result=verification_failed&page=/b');
    expect(estimated).toEqual(exact);
  });
});
