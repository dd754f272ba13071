import { agentId } from '#libs/catalog';
import { NewsSchema, validator, type NewsItem } from '#libs/contracts';
import { App } from '../../../../../test/kit/app.js';
import '../../../../../test/kit/dispose-left-overs.js';
import { until } from '../../../../../test/kit/instance.js';
import { storeVisits, sumUpCounts, type StoredVisit } from '../../../../../test/kit/stored-visits.js';

const NOW = Date.parse('2026-11-21T08:31:05Z');
const GPTBOT = { agent: 'GPTBot', type: 'AI Data Scraper', operator: 'OpenAI' };
const CLAUDEBOT = { agent: 'ClaudeBot', type: 'AI Data Scraper', operator: 'Anthropic' };
const GOOGLEBOT = { agent: 'Googlebot', type: 'Search Engine Crawler', operator: 'Google' };
const DAY = 'from=2026-11-20&to=2026-11-21';
const PEOPLE = { keptAs: 'counted' } as const;

const schema = validator(NewsSchema);

let app: App;
beforeAll(async () => {
  app = await App.start({ clock: () => NOW });
});

async function project(visits: readonly StoredVisit[]): Promise<string> {
  const { body } = await app.api('POST', '/projects', { name: 'Shop', time_zone: 'UTC' });
  await storeVisits(app.database.dataSource, body.id, NOW, visits);
  return body.id as string;
}

/** Reads news with none, some and all counts summed up, and expects the same result. */
async function news(id: string, query = DAY): Promise<NewsItem[]> {
  const first = await newsOnce(id, query);
  for (const now of [NOW - 12 * 3_600_000, NOW + 86_400_000]) {
    await sumUpCounts(app.database.dataSource, now);
    expect(await newsOnce(id, query)).toEqual(first);
  }
  return first;
}

async function newsOnce(id: string, query: string): Promise<NewsItem[]> {
  const { status, body, text } = await app.api('GET', `/projects/${id}/news?${query}`);
  if (status !== 200) throw new Error(`${status} ${text}`);
  expect(schema.faults(body)).toEqual([]);
  return body.items;
}

const every = (minutes: number, from: string, count: number, visit: Omit<StoredVisit, 'at'> = {}): StoredVisit[] =>
  Array.from({ length: count }, (_, index) => ({
    at: new Date(Date.parse(from) + index * minutes * 60_000).toISOString(),
    ...visit,
  }));
const named = ({ agent, type, operator }: typeof GPTBOT) => ({
  agent_id: agentId(agent),
  agent_token: agent,
  agent_type_name: type,
  operator_name: operator,
});
/** Ten days of constant traffic, up to the end of the range. */
const STEADY = every(60, '2026-11-11T00:00Z', 240, GPTBOT);

it('returns nothing without changes or without visits', async () => {
  expect(await news(await project([]))).toEqual([]);
  const id = await project(STEADY);
  expect(await news(id)).toEqual([]);
  expect(await news(id, 'from=2020-01-01&to=2020-01-02')).toEqual([]);
  // The first days have nothing to compare with.
  expect(await news(id, 'from=2026-11-10&to=2026-11-13')).toEqual([]);
  expect(await news(id, 'from=2026-11-11&to=2026-11-18')).toEqual([]);
});

it('lists agents that visit for the first time', async () => {
  const id = await project([
    ...STEADY,
    ...every(60, '2026-11-20T05:00Z', 3, CLAUDEBOT),
    // Not on the day before, but earlier.
    ...every(60, '2026-11-12T05:00Z', 1, GOOGLEBOT),
    ...every(60, '2026-11-20T05:00Z', 9, GOOGLEBOT),
    // After the range.
    ...every(60, '2026-11-21T00:00Z', 1, { agent: 'CCBot', type: 'Fetcher', operator: 'Common Crawl' }),
  ]);
  expect(await news(id)).toEqual([{ kind: 'new_agent', ...named(CLAUDEBOT), visits: 3 }]);
});

it('lists agents with more or fewer visits, the greatest change first', async () => {
  const id = await project([
    ...STEADY,
    ...every(10, '2026-11-19T00:00Z', 40, CLAUDEBOT),
    ...every(10, '2026-11-20T00:00Z', 120, CLAUDEBOT),
    ...every(10, '2026-11-19T00:00Z', 30, GOOGLEBOT),
    // A small change, and a rise from none to a few.
    ...every(10, '2026-11-19T00:00Z', 100, { agent: 'CCBot' }),
    ...every(10, '2026-11-20T00:00Z', 130, { agent: 'CCBot' }),
    ...every(10, '2026-11-15T00:00Z', 9, { agent: 'Bytespider' }),
    ...every(10, '2026-11-20T00:00Z', 9, { agent: 'Bytespider' }),
    // Visits of people don't count as an agent's.
    ...every(1, '2026-11-20T00:00Z', 500, PEOPLE),
  ]);
  expect(await news(id)).toEqual([
    { kind: 'agent_change', ...named(CLAUDEBOT), visits: 120, previous_visits: 40 },
    { kind: 'agent_change', ...named(GOOGLEBOT), visits: 0, previous_visits: 30 },
  ]);
  // Neither agent visited two days before, but neither is new.
  const compared = await news(id, 'from=2026-11-20&to=2026-11-21&compare_from=2026-11-18');
  expect(compared).toContainEqual({ kind: 'agent_change', ...named(CLAUDEBOT), visits: 120, previous_visits: 0 });
  expect(JSON.stringify(compared)).not.toContain('Googlebot');
});

it('ignores spoofed visits of an agent', async () => {
  const spoofed = { result: 'verification_failed', reason: 'address_not_listed' } as const;
  const id = await project([
    ...STEADY,
    ...every(10, '2026-11-19T00:00Z', 30, CLAUDEBOT),
    ...every(10, '2026-11-20T00:00Z', 30, CLAUDEBOT),
    ...every(10, '2026-11-20T00:00Z', 120, { ...CLAUDEBOT, ...spoofed }),
    ...every(10, '2026-11-20T00:00Z', 9, { ...GOOGLEBOT, ...spoofed }),
    // The first genuine visits of an agent that was only spoofed before are news.
    ...every(10, '2026-11-13T00:00Z', 9, { agent: 'CCBot', ...spoofed }),
    ...every(10, '2026-11-20T00:00Z', 3, { agent: 'CCBot' }),
  ]);
  expect((await news(id)).filter(({ kind }) => kind !== 'spoofing')).toEqual([
    expect.objectContaining({ kind: 'new_agent', agent_token: 'CCBot', visits: 3 }),
  ]);
});

it('lists networks that fail verification as an agent for the first time', async () => {
  const failed = { result: 'verification_failed', reason: 'address_not_listed' } as const;
  const id = await project([
    ...STEADY,
    ...every(60, '2026-11-18T00:00Z', 9, { ...GPTBOT, ...failed, address: '198.51.100.1' }),
    ...every(60, '2026-11-20T00:00Z', 9, { ...GPTBOT, ...failed, address: '198.51.100.2' }),
    ...every(60, '2026-11-20T00:30Z', 3, { ...GPTBOT, ...failed, address: '203.0.113.7' }),
    ...every(60, '2026-11-20T00:40Z', 1, { ...GPTBOT, ...failed, address: '203.0.113.70' }),
    ...every(60, '2026-11-20T00:45Z', 1, { ...GPTBOT, ...failed, address: '2001:db8:1::1' }),
    ...every(60, '2026-11-20T00:45Z', 1, { ...GPTBOT, ...failed, address: '2001:db8:1:2::1' }),
    ...every(60, '2026-11-18T00:45Z', 1, { ...GPTBOT, ...failed, address: '2001:db8:7:1::1' }),
    ...every(60, '2026-11-20T00:45Z', 1, { ...GPTBOT, ...failed, address: '2001:db8:7:2::1' }),
    ...every(60, '2026-11-20T06:30Z', 2, { ...GPTBOT, ...failed, address: '192.0.2.7', reason: 'expired' }),
    // Too few visits, and visits without an address.
    ...every(60, '2026-11-20T00:30Z', 4, { ...GOOGLEBOT, ...failed, address: '203.0.113.7' }),
    ...every(60, '2026-11-20T00:30Z', 9, { ...GOOGLEBOT, ...failed }),
  ]);
  expect(await news(id)).toEqual([
    {
      kind: 'spoofing',
      ...named(GPTBOT),
      networks: 3,
      network: '203.0.113.0/24',
      visits: 8,
      reason: 'expired',
    },
  ]);
});

describe('errors', () => {
  const served = (day: number, errors: number, visit: Omit<StoredVisit, 'at'>): StoredVisit[] => [
    ...every(5, `2026-11-${day}T00:00Z`, errors, visit),
    ...every(5, `2026-11-${day}T00:00Z`, 200 - errors, GPTBOT),
  ];

  it('reports errors that agents got more often than before, with their top page', async () => {
    const id = await project([
      ...served(19, 2, { ...GPTBOT, status: 503 }),
      ...served(20, 30, { ...GPTBOT, status: 503, path: '/checkout?a=1' }),
      ...every(5, '2026-11-20T00:00Z', 10, { ...GPTBOT, status: 500, path: '/cart' }),
      // An unchanged number of errors, and errors that people got.
      ...every(5, '2026-11-19T00:00Z', 50, { ...GPTBOT, status: 404 }),
      ...every(5, '2026-11-20T00:00Z', 50, { ...GPTBOT, status: 404 }),
      ...every(5, '2026-11-20T00:00Z', 70, { status: 502, path: '/cart' }),
    ]);
    expect(await news(id)).toEqual([
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
      },
    ]);
  });

  it('ignores errors that only people got', async () => {
    const id = await project([
      ...every(5, '2026-11-19T00:00Z', 200, GPTBOT),
      ...every(5, '2026-11-20T00:00Z', 200, GPTBOT),
      ...every(5, '2026-11-20T00:00Z', 90, { ...PEOPLE, status: 500 }),
    ]);
    expect(await news(id)).toEqual([]);
  });

  it('reports many errors without visits to compare with', async () => {
    const id = await project(served(20, 20, { ...GPTBOT, status: 410, path: '/old' }));
    expect(await news(id)).toEqual([expect.objectContaining({ kind: 'errors', visits: 20, previous_visits: null })]);
  });

  it('reads a sample of many errors, and sets is_sampled', async () => {
    const id = await project(every(5, '2026-11-19T00:00Z', 200, GPTBOT));
    for (const [path, count] of [
      ['/old', 10],
      ['/new', 5_000],
    ] as const) {
      const visits = every(0, path === '/old' ? '2026-11-20T01:00Z' : '2026-11-20T02:00Z', count, {
        ...GPTBOT,
        path,
        status: 500,
      });
      await storeVisits(app.database.dataSource, id, NOW, visits);
    }
    expect(await news(id)).toEqual([
      expect.objectContaining({ kind: 'errors', visits: 5_000, page: '/new', is_sampled: true }),
      expect.objectContaining({ kind: 'agent_change', visits: 5_010, previous_visits: 200 }),
    ]);
  });
});

describe('silence', () => {
  const hours = every(5, '2026-11-19T00:00Z', 12 * 54, PEOPLE);

  it('reports since when visits are missing, if there were visits a day before', async () => {
    const id = await project(hours);
    // The day before had 12 visits an hour from 06:00 to 08:30.
    const item = { kind: 'silence', since: '2026-11-21T05:55:00.000Z', expected_visits: 30, days_before: 1 };
    expect(await news(id, '')).toEqual([item]);
    expect(await news(id, 'from=2026-11-20&to=2026-11-22')).toEqual([item]);
    // The range ended before the silence began.
    expect(await news(id, 'from=2026-11-20&to=2026-11-21')).toEqual([]);
  });

  it('ignores a short silence, and a silence that also occurred a day before', async () => {
    expect(await news(await project(every(5, '2026-11-20T09:00Z', 12 * 21, PEOPLE)), '')).toEqual([]);
    const recent = [...hours, { at: '2026-11-21T08:05Z', ...PEOPLE }];
    expect(await news(await project(recent), '')).toEqual([]);
  });

  it('looks back as many days as the silence lasts', async () => {
    const id = await project(every(5, '2026-11-16T00:00Z', 12 * 60, PEOPLE));
    expect(await news(id, 'from=2026-11-16')).toEqual([
      { kind: 'silence', since: '2026-11-18T11:55:00.000Z', expected_visits: 678, days_before: 3 },
    ]);
  });
});

it('interleaves the kinds, most important items first', async () => {
  const id = await project([
    ...STEADY,
    ...every(5, '2026-11-20T00:00Z', 3, { agent: 'CCBot' }),
    ...every(5, '2026-11-20T00:00Z', 5, { agent: 'Bytespider' }),
    ...every(5, '2026-11-19T00:00Z', 60, CLAUDEBOT),
    ...every(5, '2026-11-19T00:00Z', 30, GOOGLEBOT),
  ]);
  expect((await news(id)).map((item) => [item.kind, 'agent_token' in item && item.agent_token])).toEqual([
    ['new_agent', 'Bytespider'],
    ['agent_change', 'ClaudeBot'],
    ['new_agent', 'CCBot'],
    ['agent_change', 'Googlebot'],
  ]);
});

it('reports failing address lists to administrators only', async () => {
  const id = await project(STEADY);
  const { body: limited } = await app.api('POST', '/api-keys', { project_ids: [id] });
  const { dataSource } = app.database;
  const add = (url: string, fault: string | null, fetched: string | null) =>
    dataSource.query(
      `INSERT INTO address_lists (url, format, fault, fetched_at) VALUES ($1, 'text', $2, now() - $3::interval)`,
      [url, fault, fetched],
    );
  // The catalog adds its own lists only once, so they don't come back after this.
  await until(async () => (await dataSource.query('SELECT FROM address_lists')).length > 0, {
    what: 'the catalog has its lists',
  });
  await dataSource.query('DELETE FROM address_lists');
  await add('https://a.example', 'It does not answer.', null);
  await add('https://b.example', 'It does not answer.', '3 days');
  // Fetched recently, and without a fault.
  await add('https://c.example', 'It does not answer.', '1 day');
  await add('https://d.example', null, '3 days');
  expect(await news(id)).toEqual([{ kind: 'address_lists', failing: 2, lists: 4 }]);
  const headers = { authorization: `Bearer ${limited.key}` };
  const answer = await app.send('GET', `/api/projects/${id}/news?${DAY}`, undefined, headers);
  expect(answer.body.items).toEqual([]);
  await dataSource.query('DELETE FROM address_lists');
});

it('ignores visits of other projects', async () => {
  const id = await project(every(60, '2026-11-12T00:00Z', 215, CLAUDEBOT));
  await project([...STEADY, ...every(1, '2026-11-20T00:00Z', 300, { ...CLAUDEBOT, status: 500 })]);
  expect(await news(id)).toEqual([]);
});
