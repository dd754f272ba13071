import { agentId } from '#libs/catalog';
import { NewsSchema, validator, type NewsItem } from '#libs/contracts';
import { ReadTimeoutError } from '#libs/visit-store';
import { jest } from '@jest/globals';
import { App } from '../../../../../test/kit/app.js';
import '../../../../../test/kit/dispose-all.js';
import { until } from '../../../../../test/kit/instance.js';
import { storeVisits, rollUpCounts, type StoredVisit } from '../../../../../test/kit/stored-visits.js';
import { onlyInPostgres } from '../../../../../test/kit/visit-store.js';
import { ChangeCausesService } from './change-causes.service.js';

const NOW = Date.parse('2026-11-21T08:31:05Z');
const GPTBOT = { agent: 'GPTBot', type: 'AI Data Scraper', operator: 'OpenAI' };
const CLAUDEBOT = { agent: 'ClaudeBot', type: 'AI Data Scraper', operator: 'Anthropic' };
const GOOGLEBOT = { agent: 'Googlebot', type: 'Search Engine Crawler', operator: 'Google' };
const DAY_RANGE = 'from=2026-11-20&to=2026-11-21';
const HUMAN_VISIT = { keptAs: 'counted' } as const;

const schema = validator(NewsSchema);

let app: App;
beforeAll(async () => {
  app = await App.start({ clock: () => NOW });
});

async function createProject(visits: readonly StoredVisit[]): Promise<string> {
  const { body } = await app.api('POST', '/projects', { name: 'Shop', time_zone: 'UTC' });
  await storeVisits(app.database.dataSource, body.id, NOW, visits);
  return body.id as string;
}

/** Reads the news before, during and after the roll-up of counts, and expects the same result each time. */
async function readNews(id: string, query = DAY_RANGE): Promise<NewsItem[]> {
  const first = await readNewsOnce(id, query);
  for (const now of [NOW - 12 * 3_600_000, NOW + 86_400_000]) {
    await rollUpCounts(app.database.dataSource, now);
    expect(await readNewsOnce(id, query)).toEqual(first);
  }
  return first;
}

async function readNewsOnce(id: string, query: string): Promise<NewsItem[]> {
  const { status, body, text } = await app.api('GET', `/projects/${id}/news?${query}`);
  if (status !== 200) throw new Error(`${status} ${text}`);
  expect(schema.faults(body)).toEqual([]);
  return body.items;
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
const getAgentNames = ({ agent, type, operator }: typeof GPTBOT) => ({
  agent_id: agentId(agent),
  agent_token: agent,
  agent_type_name: type,
  operator_name: operator,
});
/** Ten days of steady traffic, up to the end of the range. */
const STEADY = createVisitsEvery(60, '2026-11-11T00:00Z', 240, GPTBOT);

it('returns no items if there are no visits or no changes', async () => {
  expect(await readNews(await createProject([]))).toEqual([]);
  const id = await createProject(STEADY);
  expect(await readNews(id)).toEqual([]);
  expect(await readNews(id, 'from=2020-01-01&to=2020-01-02')).toEqual([]);
  // There are no earlier visits to compare the first days with.
  expect(await readNews(id, 'from=2026-11-10&to=2026-11-13')).toEqual([]);
  expect(await readNews(id, 'from=2026-11-11&to=2026-11-18')).toEqual([]);
});

it('lists agents that visit for the first time', async () => {
  const id = await createProject([
    ...STEADY,
    ...createVisitsEvery(60, '2026-11-20T05:00Z', 3, CLAUDEBOT),
    // Googlebot didn't visit on the previous day, but visited before that.
    ...createVisitsEvery(60, '2026-11-12T05:00Z', 1, GOOGLEBOT),
    ...createVisitsEvery(60, '2026-11-20T05:00Z', 9, GOOGLEBOT),
    // CCBot first visits after the range.
    ...createVisitsEvery(60, '2026-11-21T00:00Z', 1, { agent: 'CCBot', type: 'Fetcher', operator: 'Common Crawl' }),
  ]);
  expect(await readNews(id)).toEqual([{ kind: 'new_agent', ...getAgentNames(CLAUDEBOT), visits: 3 }]);
});

it('lists agents with more or fewer visits, largest change first', async () => {
  const id = await createProject([
    ...STEADY,
    ...createVisitsEvery(10, '2026-11-19T00:00Z', 40, CLAUDEBOT),
    ...createVisitsEvery(10, '2026-11-20T00:00Z', 120, CLAUDEBOT),
    ...createVisitsEvery(10, '2026-11-19T00:00Z', 30, GOOGLEBOT),
    // A small change, and an increase from no visits to a few.
    ...createVisitsEvery(10, '2026-11-19T00:00Z', 100, { agent: 'CCBot' }),
    ...createVisitsEvery(10, '2026-11-20T00:00Z', 130, { agent: 'CCBot' }),
    ...createVisitsEvery(10, '2026-11-15T00:00Z', 9, { agent: 'Bytespider' }),
    ...createVisitsEvery(10, '2026-11-20T00:00Z', 9, { agent: 'Bytespider' }),
    // Visits by people don't count towards an agent.
    ...createVisitsEvery(1, '2026-11-20T00:00Z', 500, HUMAN_VISIT),
  ]);
  expect(await readNews(id)).toEqual([
    { kind: 'agent_change', ...getAgentNames(CLAUDEBOT), visits: 120, previous_visits: 40, causes: [] },
    { kind: 'agent_change', ...getAgentNames(GOOGLEBOT), visits: 0, previous_visits: 30, causes: expect.any(Array) },
  ]);
  // Neither agent visited two days before, but neither is new.
  const compared = await readNews(id, 'from=2026-11-20&to=2026-11-21&compare_from=2026-11-18');
  expect(compared).toContainEqual({
    kind: 'agent_change',
    ...getAgentNames(CLAUDEBOT),
    visits: 120,
    previous_visits: 0,
    causes: expect.any(Array),
  });
  expect(JSON.stringify(compared)).not.toContain('Googlebot');
});

it('names the network, folder and verdict behind a rise or fall', async () => {
  const wave = { ...CLAUDEBOT, result: 'not_verifiable', reason: 'no_method' } as const;
  const usual = { ...CLAUDEBOT, result: 'verified', path: '/docs/start' } as const;
  const id = await createProject([
    ...STEADY,
    ...createVisitsEvery(10, '2026-11-19T00:00Z', 60, { ...usual, address: '192.0.2.1' }),
    ...createVisitsEvery(10, '2026-11-20T00:00Z', 60, { ...usual, address: '192.0.2.1' }),
    ...createVisitsEvery(5, '2026-11-20T00:00Z', 70, { ...wave, path: '/blog/oak?page=2', address: '203.0.113.7' }),
    ...createVisitsEvery(5, '2026-11-20T00:00Z', 50, { ...wave, path: '/blog/elm', address: '203.0.113.80' }),
    ...createVisitsEvery(5, '2026-11-20T00:00Z', 14, { ...wave, path: '/', address: '198.51.100.1' }),
    // Spoofed visits aren't part of the change.
    ...createVisitsEvery(5, '2026-11-20T00:00Z', 99, {
      ...usual,
      result: 'verification_failed',
      reason: 'address_not_listed',
      address: '198.51.100.2',
    }),
    ...createVisitsEvery(10, '2026-11-19T00:00Z', 40, {
      ...GOOGLEBOT,
      result: 'verified',
      path: '/shop/a',
      address: '2001:db8:1::1',
    }),
  ]);
  const items = (await readNews(id)).filter(({ kind }) => kind === 'agent_change');
  expect(items).toEqual([
    {
      kind: 'agent_change',
      ...getAgentNames(CLAUDEBOT),
      visits: 194,
      previous_visits: 60,
      causes: [
        { dimension: 'network', value: '203.0.113.0/24', visits: 120, previous_visits: 0 },
        { dimension: 'page', value: '/blog/*', visits: 120, previous_visits: 0 },
        { dimension: 'verdict', value: 'not_verifiable', visits: 134, previous_visits: 0 },
      ],
    },
    {
      kind: 'agent_change',
      ...getAgentNames(GOOGLEBOT),
      visits: 0,
      previous_visits: 40,
      causes: [
        { dimension: 'network', value: '2001:db8:1::/48', visits: 0, previous_visits: 40 },
        { dimension: 'page', value: '/shop/*', visits: 0, previous_visits: 40 },
        { dimension: 'verdict', value: 'verified', visits: 0, previous_visits: 40 },
      ],
    },
  ]);
  // The agent page also counts spoofed visits, so there the wave explains less.
  const { body } = await app.api('GET', `/projects/${id}/agents/${agentId('ClaudeBot')}?${DAY_RANGE}`);
  expect(body).toMatchObject({ visits: 293, previous_visits: 60, change_causes: [] });
});

it('returns changes without causes if the causes take too long to read', async () => {
  const id = await createProject([...STEADY, ...createVisitsEvery(10, '2026-11-19T00:00Z', 40, CLAUDEBOT)]);
  const change = { kind: 'agent_change', ...getAgentNames(CLAUDEBOT), visits: 0, previous_visits: 40 };
  expect(await readNews(id)).toEqual([{ ...change, causes: expect.any(Array) }]);
  const find = jest.spyOn(app.nest.get(ChangeCausesService), 'find').mockRejectedValueOnce(new ReadTimeoutError());
  expect(await readNewsOnce(id, DAY_RANGE)).toEqual([{ ...change, causes: null }]);
  find.mockRejectedValueOnce(new ReadTimeoutError());
  const { body } = await app.api('GET', `/projects/${id}/agents/${agentId('ClaudeBot')}?${DAY_RANGE}`);
  expect(body).toMatchObject({ previous_visits: 40, change_causes: null });
  find.mockRestore();
});

onlyInPostgres(() => {
  it("doesn't compare stored visits if some are no longer stored", async () => {
    const id = await createProject([
      ...createVisitsEvery(60, '2026-11-11T00:00Z', 240, { ...GPTBOT, path: '/docs/start' }),
      ...createVisitsEvery(10, '2026-11-20T00:00Z', 120, { ...GPTBOT, path: '/docs/start' }),
    ]);
    const readAgent = async () =>
      (await app.api('GET', `/projects/${id}/agents/${agentId('GPTBot')}?${DAY_RANGE}`)).body;
    expect((await readAgent()).top_pages).toEqual([{ path: '/docs/start', visits: 144, previous_visits: 24 }]);
    await app.database.dataSource.query(`DELETE FROM visits WHERE project_id = $1 AND occurred_at < $2`, [
      id,
      '2026-11-19T12:00Z',
    ]);
    expect(await readNewsOnce(id, DAY_RANGE)).toEqual([
      { kind: 'agent_change', ...getAgentNames(GPTBOT), visits: 144, previous_visits: 24, causes: null },
    ]);
    expect(await readAgent()).toMatchObject({
      change_causes: null,
      top_pages: [{ path: '/docs/start', visits: 144 }],
      top_statuses: [{ status: 200, visits: 144 }],
    });
    expect((await readAgent()).top_pages[0]).not.toHaveProperty('previous_visits');
  });
});

it("lists agents that don't get robots.txt", async () => {
  const refused = { path: '/robots.txt', status: 403 };
  const spoofed = { ...refused, result: 'verification_failed', reason: 'address_not_listed' } as const;
  const id = await createProject([
    ...STEADY,
    ...createVisitsEvery(60, '2026-11-19T00:00Z', 6, { ...GPTBOT, ...refused }),
    ...createVisitsEvery(60, '2026-11-20T00:00Z', 4, { ...GPTBOT, ...refused }),
    ...createVisitsEvery(60, '2026-11-20T00:00Z', 2, {
      ...GOOGLEBOT,
      path: '/robots.txt',
      extra: { response_headers: { 'Content-Type': 'text/html' } },
    }),
    ...createVisitsEvery(60, '2026-11-20T00:00Z', 4, { ...CLAUDEBOT, ...spoofed }),
    // Unknown visitors may be blocked.
    ...createVisitsEvery(1, '2026-11-20T00:00Z', 20, refused),
  ]);
  const items = (await readNews(id)).filter(({ kind }) => kind === 'robots_refused');
  expect(items).toEqual([
    {
      kind: 'robots_refused',
      visits: 6,
      fetches: 6,
      answers: { file: 0, html: 2, redirect: 0, challenge: 0, not_found: 0, refused: 4, error: 0 },
      agents: [
        { ...getAgentNames(GPTBOT), visits: 4 },
        { ...getAgentNames(GOOGLEBOT), visits: 2 },
      ],
      agent_count: 2,
    },
  ]);
});

it("excludes spoofed visits from an agent's counts", async () => {
  const spoofed = { result: 'verification_failed', reason: 'address_not_listed' } as const;
  const id = await createProject([
    ...STEADY,
    ...createVisitsEvery(10, '2026-11-19T00:00Z', 30, CLAUDEBOT),
    ...createVisitsEvery(10, '2026-11-20T00:00Z', 30, CLAUDEBOT),
    ...createVisitsEvery(10, '2026-11-20T00:00Z', 120, { ...CLAUDEBOT, ...spoofed }),
    ...createVisitsEvery(10, '2026-11-20T00:00Z', 9, { ...GOOGLEBOT, ...spoofed }),
    // The first genuine visits of an agent that was only spoofed before are news.
    ...createVisitsEvery(10, '2026-11-13T00:00Z', 9, { agent: 'CCBot', ...spoofed }),
    ...createVisitsEvery(10, '2026-11-20T00:00Z', 3, { agent: 'CCBot' }),
  ]);
  expect((await readNews(id)).filter(({ kind }) => kind !== 'spoofing')).toEqual([
    expect.objectContaining({ kind: 'new_agent', agent_token: 'CCBot', visits: 3 }),
  ]);
});

it('lists networks that fail verification as an agent for the first time', async () => {
  const failed = { result: 'verification_failed', reason: 'address_not_listed' } as const;
  const id = await createProject([
    ...STEADY,
    ...createVisitsEvery(60, '2026-11-18T00:00Z', 9, { ...GPTBOT, ...failed, address: '198.51.100.1' }),
    ...createVisitsEvery(60, '2026-11-20T00:00Z', 9, { ...GPTBOT, ...failed, address: '198.51.100.2' }),
    ...createVisitsEvery(60, '2026-11-20T00:30Z', 3, { ...GPTBOT, ...failed, address: '203.0.113.7' }),
    ...createVisitsEvery(60, '2026-11-20T00:40Z', 1, { ...GPTBOT, ...failed, address: '203.0.113.70' }),
    ...createVisitsEvery(60, '2026-11-20T00:45Z', 1, { ...GPTBOT, ...failed, address: '2001:db8:1::1' }),
    ...createVisitsEvery(60, '2026-11-20T00:45Z', 1, { ...GPTBOT, ...failed, address: '2001:db8:1:2::1' }),
    ...createVisitsEvery(60, '2026-11-18T00:45Z', 1, { ...GPTBOT, ...failed, address: '2001:db8:7:1::1' }),
    ...createVisitsEvery(60, '2026-11-20T00:45Z', 1, { ...GPTBOT, ...failed, address: '2001:db8:7:2::1' }),
    ...createVisitsEvery(60, '2026-11-20T06:30Z', 2, { ...GPTBOT, ...failed, address: '192.0.2.7', reason: 'expired' }),
    // Too few visits, and visits without a client address.
    ...createVisitsEvery(60, '2026-11-20T00:30Z', 4, { ...GOOGLEBOT, ...failed, address: '203.0.113.7' }),
    ...createVisitsEvery(60, '2026-11-20T00:30Z', 9, { ...GOOGLEBOT, ...failed }),
  ]);
  expect(await readNews(id)).toEqual([
    {
      kind: 'spoofing',
      ...getAgentNames(GPTBOT),
      networks: 3,
      network: '203.0.113.0/24',
      visits: 8,
      reason: 'expired',
    },
  ]);
});

it('combines untrusted visits from one network that claimed to be agents of several operators', async () => {
  const visit = { address: '203.0.113.7', reason: 'address_not_listed', result: 'verification_failed' } as const;
  const unverified = { ...visit, reason: 'no_method', result: 'not_verifiable' } as const;
  const id = await createProject([
    ...STEADY,
    ...createVisitsEvery(60, '2026-11-20T00:00Z', 9, { ...GPTBOT, ...visit }),
    ...createVisitsEvery(60, '2026-11-20T00:30Z', 7, { ...GOOGLEBOT, ...visit }),
    // Too few to be news.
    ...createVisitsEvery(60, '2026-11-20T00:30Z', 3, { ...GOOGLEBOT, ...unverified }),
    ...createVisitsEvery(60, '2026-11-19T00:30Z', 2, { ...GOOGLEBOT, ...unverified }),
    ...createVisitsEvery(60, '2026-11-20T00:30Z', 4, { ...GOOGLEBOT, ...visit, result: 'verified', reason: 'ok' }),
  ]);
  const [item] = await readNews(id);
  expect(item).toEqual({
    kind: 'impersonation',
    network: '203.0.113.0/24',
    visits: 19,
    spoofed: 16,
    previous_visits: 2,
    agents: [
      { ...getAgentNames(GOOGLEBOT), visits: 10 },
      { ...getAgentNames(GPTBOT), visits: 9 },
    ],
  });
  const query = 'from=2026-11-20&to=2026-11-21&address=203.0.113.0/24&agent=GPTBot&agent=Googlebot&not_result=verified';
  expect((await app.api('GET', `/projects/${id}/visits/count?${query}`)).body).toEqual({ visits: 19, is_exact: true });
});

describe('errors', () => {
  const createServedVisits = (day: number, errors: number, visit: Omit<StoredVisit, 'at'>): StoredVisit[] => [
    ...createVisitsEvery(5, `2026-11-${day}T00:00Z`, errors, visit),
    ...createVisitsEvery(5, `2026-11-${day}T00:00Z`, 200 - errors, GPTBOT),
  ];

  it('reports a rise in errors served to agents, with the most affected page', async () => {
    const id = await createProject([
      ...createServedVisits(19, 2, { ...GPTBOT, status: 503 }),
      ...createServedVisits(20, 30, { ...GPTBOT, status: 503, path: '/checkout?a=1' }),
      ...createVisitsEvery(5, '2026-11-20T00:00Z', 10, { ...GPTBOT, status: 500, path: '/cart' }),
      // An unchanged number of errors, and errors served to people.
      ...createVisitsEvery(5, '2026-11-19T00:00Z', 50, { ...GPTBOT, status: 404 }),
      ...createVisitsEvery(5, '2026-11-20T00:00Z', 50, { ...GPTBOT, status: 404 }),
      ...createVisitsEvery(5, '2026-11-20T00:00Z', 70, { status: 502, path: '/cart' }),
    ]);
    expect(await readNews(id)).toEqual([
      {
        kind: 'errors',
        status: '5xx',
        visits: 40,
        agent_visits: 260,
        previous_visits: 2,
        previous_agent_visits: 250,
        page: '/checkout',
        page_visits: 30,
        is_sampled: false,
        period: { from: '2026-11-20T00:00:00.000Z', to: '2026-11-20T02:30:00.000Z', visits: 40 },
        outage: null,
      },
    ]);
  });

  it('ignores errors served only to people', async () => {
    const id = await createProject([
      ...createVisitsEvery(5, '2026-11-19T00:00Z', 200, GPTBOT),
      ...createVisitsEvery(5, '2026-11-20T00:00Z', 200, GPTBOT),
      ...createVisitsEvery(5, '2026-11-20T00:00Z', 90, { ...HUMAN_VISIT, status: 500 }),
    ]);
    expect(await readNews(id)).toEqual([]);
  });

  it('reports many errors even without earlier visits to compare', async () => {
    const id = await createProject(createServedVisits(20, 20, { ...GPTBOT, status: 410, path: '/old' }));
    expect(await readNews(id)).toEqual([
      expect.objectContaining({ kind: 'errors', visits: 20, previous_visits: null }),
    ]);
  });

  // ClickHouse reads all visits.
  onlyInPostgres(() => {
    it('samples errors if there are many, and sets is_sampled', async () => {
      const id = await createProject(createVisitsEvery(5, '2026-11-19T00:00Z', 200, GPTBOT));
      for (const [path, count] of [
        ['/old', 10],
        ['/new', 5_000],
      ] as const) {
        const visits = createVisitsEvery(0, path === '/old' ? '2026-11-20T01:00Z' : '2026-11-20T02:00Z', count, {
          ...GPTBOT,
          path,
          status: 500,
        });
        await storeVisits(app.database.dataSource, id, NOW, visits);
      }
      expect(await readNews(id)).toEqual([
        expect.objectContaining({ kind: 'errors', visits: 5_000, page: '/new', is_sampled: true }),
        expect.objectContaining({ kind: 'agent_change', visits: 5_010, previous_visits: 200 }),
      ]);
    });
  });
});

it('reports an outage if there were visits at the same time on the previous day', async () => {
  const id = await createProject([
    ...createVisitsEvery(5, '2026-11-19T00:00Z', 12 * 34, HUMAN_VISIT),
    ...createVisitsEvery(5, '2026-11-20T12:00Z', 12 * 12, HUMAN_VISIT),
  ]);
  expect(await readNews(id)).toEqual([
    {
      kind: 'outage',
      from: '2026-11-20T10:00:00.000Z',
      to: '2026-11-20T12:00:00.000Z',
      expected_visits: 24,
      days_before: 1,
    },
  ]);
});

it('reports an outage and the server errors before it as one item', async () => {
  const id = await createProject([
    ...createVisitsEvery(5, '2026-11-19T00:00Z', 12 * 32, GPTBOT),
    ...createVisitsEvery(5, '2026-11-20T08:00Z', 12 * 2, { ...GPTBOT, status: 503 }),
    ...createVisitsEvery(5, '2026-11-20T12:00Z', 12 * 12, GPTBOT),
  ]);
  const items = await readNews(id);
  expect(items).toEqual([
    expect.objectContaining({
      kind: 'errors',
      visits: 24,
      period: { from: '2026-11-20T08:00:00.000Z', to: '2026-11-20T10:00:00.000Z', visits: 24 },
      outage: {
        from: '2026-11-20T10:00:00.000Z',
        to: '2026-11-20T12:00:00.000Z',
        expected_visits: 24,
        days_before: 1,
      },
    }),
  ]);
});

describe('silence', () => {
  const hours = createVisitsEvery(5, '2026-11-19T00:00Z', 12 * 54, HUMAN_VISIT);

  it('reports when visits stopped if there were visits on the previous day', async () => {
    const id = await createProject(hours);
    // The previous day had 12 visits per hour from 06:00 to 08:30.
    const item = { kind: 'silence', since: '2026-11-21T05:55:00.000Z', expected_visits: 30, days_before: 1 };
    expect(await readNews(id, '')).toEqual([item]);
    expect(await readNews(id, 'from=2026-11-20&to=2026-11-22')).toEqual([item]);
    // The range ended before the silence began.
    expect(await readNews(id, 'from=2026-11-20&to=2026-11-21')).toEqual([]);
  });

  it('ignores a short gap in visits, and a gap that also occurred on the previous day', async () => {
    expect(
      await readNews(await createProject(createVisitsEvery(5, '2026-11-20T09:00Z', 12 * 21, HUMAN_VISIT)), ''),
    ).toEqual([]);
    const recent = [...hours, { at: '2026-11-21T08:05Z', ...HUMAN_VISIT }];
    // The gap has ended, so it's an outage instead.
    expect((await readNews(await createProject(recent), '')).map(({ kind }) => kind)).toEqual(['outage']);
  });

  it('compares a period of silence with the same number of preceding days', async () => {
    const id = await createProject(createVisitsEvery(5, '2026-11-16T00:00Z', 12 * 60, HUMAN_VISIT));
    expect(await readNews(id, 'from=2026-11-16')).toEqual([
      { kind: 'silence', since: '2026-11-18T11:55:00.000Z', expected_visits: 678, days_before: 3 },
    ]);
  });
});

it('interleaves kinds of news, most important items first', async () => {
  const id = await createProject([
    ...STEADY,
    ...createVisitsEvery(5, '2026-11-20T00:00Z', 3, { agent: 'CCBot' }),
    ...createVisitsEvery(5, '2026-11-20T00:00Z', 5, { agent: 'Bytespider' }),
    ...createVisitsEvery(5, '2026-11-19T00:00Z', 60, CLAUDEBOT),
    ...createVisitsEvery(5, '2026-11-19T00:00Z', 30, GOOGLEBOT),
  ]);
  expect((await readNews(id)).map((item) => [item.kind, 'agent_token' in item && item.agent_token])).toEqual([
    ['new_agent', 'Bytespider'],
    ['agent_change', 'ClaudeBot'],
    ['new_agent', 'CCBot'],
    ['agent_change', 'Googlebot'],
  ]);
});

it('reports failing address lists only to administrators', async () => {
  const id = await createProject(STEADY);
  const { body: limited } = await app.api('POST', '/api-keys', { project_ids: [id] });
  const { dataSource } = app.database;
  const add = (url: string, fault: string | null, fetched: string | null) =>
    dataSource.query(
      `INSERT INTO address_lists (url, format, fault, fetched_at) VALUES ($1, 'text', $2, now() - $3::interval)`,
      [url, fault, fetched],
    );
  // Delete the default lists. The catalog only adds them once, so they stay deleted.
  await until(async () => (await dataSource.query('SELECT FROM address_lists')).length > 0, {
    condition: 'the catalog has added the default lists',
  });
  await dataSource.query('DELETE FROM address_lists');
  await add('https://openai.com/gptbot.json', 'The host does not respond.', null);
  await add('https://b.example', 'The host does not respond.', '3 days');
  // One list was fetched recently, and the other has no fault.
  await add('https://c.example', 'The host does not respond.', '1 day');
  await add('https://d.example', null, '3 days');
  expect(await readNews(id)).toEqual([
    { kind: 'address_lists', failing: 2, lists: 4, agents: [{ ...getAgentNames(GPTBOT), visits: 24 }], agent_count: 1 },
  ]);
  const headers = { authorization: `Bearer ${limited.key}` };
  const response = await app.send('GET', `/api/projects/${id}/news?${DAY_RANGE}`, undefined, headers);
  expect(response.body.items).toEqual([]);
  await dataSource.query('DELETE FROM address_lists');
});

it('ignores visits to other projects in the news', async () => {
  const id = await createProject(createVisitsEvery(60, '2026-11-12T00:00Z', 215, CLAUDEBOT));
  await createProject([...STEADY, ...createVisitsEvery(1, '2026-11-20T00:00Z', 300, { ...CLAUDEBOT, status: 500 })]);
  expect(await readNews(id)).toEqual([]);
});
