import { jest } from '@jest/globals';
import type { EvidenceSources } from '#libs/agents';
import { bundledCatalog, type AgentRecord } from '#libs/catalog';
import { type AssistantRecord, type EnrichedVisit, type ReidentificationReport, type Visit } from '#libs/contracts';
import type { DataSource } from 'typeorm';
import { startTestDatabase, type TestDatabase } from '../kit/database.js';
import { NO_SOURCES } from '../kit/identifier.js';
import { History, reported, type HistoryOptions, type Reported } from '../kit/reidentified.js';

const PROJECT = '019a0000-0000-7000-8000-000000000001';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.now();

const agent = (token: string, verification: AgentRecord['verification'] = {}): AgentRecord => ({
  token,
  type: 'Scraper',
  operator: 'Example',
  url: null,
  user_agent_patterns: [`${token}/`],
  robots_token: token,
  verification,
});
const assistant = (name: string, host: string): AssistantRecord => ({
  name,
  operator: name,
  hosts: [host],
  query_values: [],
  android_apps: [],
});
const BUNDLED: readonly AgentRecord[] = bundledCatalog().agents.filter(({ token }) => token !== 'GPTBot');

/** A browser, a bundled agent, and agents that differ between the catalogs `BEFORE` and `AFTER`. */
const USER_AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (compatible; Bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'NewBot/1.0',
  'GoneBot/1.0',
  'RangedBot/1.0',
];

const visit = (userAgent: string, extra: Partial<Visit> = {}): Visit => ({
  request_path: '/',
  request_method: 'GET',
  request_headers: { 'user-agent': userAgent, 'x-forwarded-for': '192.0.2.7' },
  response_status_code: 200,
  ...extra,
});

/** Fields that vary between visits with the same User-Agent. */
function extraOf(index: number): Partial<Visit> {
  // Browsers, some of them referred by an assistant.
  if (index % USER_AGENTS.length === 0) {
    const sender = ['?utm_source=chatgpt.com', '?utm_source=perplexity.ai', ''][(index / 5) % 3]!;
    return { request_path: `/page-${(index * 31) % 11}${sender}`, response_status_code: 200 };
  }
  if (index % 4 !== 0) return {};
  // Several visitors report the same checkout.
  const checkout = {
    id: `checkout-${Math.floor(index / 30)}`,
    status: ['ready_for_payment', 'completed'][index % 2],
    currency: 'eur',
    totals: [{ type: 'total', amount: 100 + (index % 5) }],
  };
  return { request_method: 'POST', request_path: '/checkout_sessions', acp_response_body: checkout };
}

/** Visits over five days, some of them reported up to six hours late. */
const someVisits = (count: number): Reported[] =>
  Array.from({ length: count }, (_, index) => {
    const at = NOW - 5 * DAY + Math.floor((index / count) * 5 * DAY);
    const late = index % 7 === 0 ? Math.min(NOW - at, 6 * HOUR) : 0;
    return reported(
      visit(USER_AGENTS[index % USER_AGENTS.length]!, {
        request_path: `/page-${(index * 31) % 11}?n=${index}`,
        created: new Date(at).toISOString(),
        response_status_code: [200, 404, null][index % 3]!,
        request_headers: {
          'user-agent': USER_AGENTS[index % USER_AGENTS.length]!,
          'x-forwarded-for': `192.0.2.${index % 200}`,
        },
        ...extraOf(index),
      }),
      at + late,
      index % 5,
    );
  });

const ASSISTANTS = [assistant('ChatGPT', 'chatgpt.com'), assistant('Perplexity', 'perplexity.ai')];
const [FIRST_VERSION, SECOND_VERSION, LATER_KNOWN] = [1, 2, 3].map(
  (n) => `019a0000-0000-7000-8000-00000000010${n}`,
) as [string, string, string];
const OPEN = 'User-agent: *\nAllow: /';
/** robots.txt versions known when the visits arrived. `VERSIONS_NOW` adds a version recorded later. */
const VERSIONS_THEN = [
  { id: FIRST_VERSION, from: NOW - 6 * DAY, until: NOW - 3 * DAY, text: OPEN },
  {
    id: SECOND_VERSION,
    from: NOW - 3 * DAY,
    until: null,
    text: 'User-agent: GoneBot\nUser-agent: NewBot\nDisallow: /page-1',
  },
];
const VERSIONS_NOW = [
  { ...VERSIONS_THEN[0]!, until: NOW - 4 * DAY },
  { id: LATER_KNOWN, from: NOW - 4 * DAY, until: NOW - 3 * DAY, text: 'User-agent: *\nDisallow: /checkout' },
  VERSIONS_THEN[1]!,
];

const BEFORE = [...BUNDLED, agent('GoneBot'), agent('RangedBot', { ip_ranges: ['192.0.2.0/26'] })];
const AFTER = [...BUNDLED, agent('NewBot'), agent('RangedBot', { ip_ranges: ['192.0.2.64/26'] })];
const RANGE = { from: new Date(NOW - 60 * DAY).toISOString(), to: new Date(NOW + DAY).toISOString() };

const databases: TestDatabase[] = [];
async function newHistory(options: Partial<HistoryOptions> = {}): Promise<{ history: History; db: DataSource }> {
  const database = await startTestDatabase();
  databases.push(database);
  const db = database.dataSource;
  await db.query(`INSERT INTO projects (id, name, host_names) VALUES ($1, 'Shop', '{shop.example}')`, [PROJECT]);
  const history = new History({ dataSource: db, projectId: PROJECT, ...options });
  return { history, db };
}
afterEach(async () => {
  jest.restoreAllMocks();
  for (const database of databases.splice(0)) await database.stop();
});

/** Query for the rows of a count table, summed over its shards. */
const counts = (table: string): string => {
  const sharded = table === 'visit_counts' || table === 'visit_top_counts';
  const keys = table.includes('top') ? 'dimension, value' : 'agent_id, agent_type, result';
  const isOfTypes = table === 'visit_hour_type_counts';
  const last = table.includes('top') || isOfTypes ? '' : ', max(last_at) AS last_at';
  const all = isOfTypes ? 'agent_type, result' : keys;
  return sharded
    ? `SELECT project_id, bucket, ${keys}, sum(visits)::int AS visits${last} FROM ${table} GROUP BY 1, 2, 3, 4${table.includes('top') ? '' : ', 5'} ORDER BY 1, 2, 3, 4, 5`
    : `SELECT project_id, bucket, ${all}, visits::int AS visits${last.replace('max(last_at) AS ', '')} FROM ${table} ORDER BY 1, 2, 3, 4, 5`;
};
const COUNTS = [
  'visit_counts',
  'visit_top_counts',
  'visit_hour_counts',
  'visit_hour_type_counts',
  'visit_day_counts',
  'visit_day_top_counts',
];

/** Everything a recount must reproduce: all but `reidentified`, the evidence and the catalog version. */
async function contentsOf(history: History, db: DataSource): Promise<Record<string, unknown[]>> {
  await history.sumUp();
  const contents: Record<string, unknown[]> = {};
  for (const table of COUNTS) contents[table] = await db.query(counts(table));
  for (const table of ['visit_hour_top_counts', 'visit_rest_top_counts'])
    contents[table] = await db.query(`SELECT * FROM ${table} ORDER BY project_id, bucket, dimension`);
  contents['visits'] = await db.query(
    `SELECT id, project_id, occurred_at, agent_id, agent_type, operator, result, path, status, mcp_tool, kinds, client_address, robots,
       automation, assistant, user_agent_group,
       (document::jsonb - 'reidentified') #- '{identification,evidence}' #- '{identification,catalog_version}' AS document
     FROM visits_full ORDER BY id`,
  );
  contents['checkouts'] = await db.query(`SELECT * FROM checkouts ORDER BY project_id, id`);
  contents['ids'] = await db.query(
    `SELECT id, project_id IS NULL AS is_alone, document IS NULL AS is_empty FROM unknown_visits ORDER BY id`,
  );
  return contents;
}

const jobOf = async (
  db: DataSource,
): Promise<Pick<Reidentification, 'state'> & Record<'preview' | 'result', ReidentificationReport>> =>
  (
    await db.query(
      `SELECT state, is_paused, preview, result, error FROM reidentifications ORDER BY created_at DESC LIMIT 1`,
    )
  )[0];
type Reidentification = { state: string; is_paused: boolean; error: string | null };
const documentsOf = async (db: DataSource): Promise<EnrichedVisit[]> =>
  (await db.query(`SELECT document FROM visits_full ORDER BY occurred_at, id`)).map(
    ({ document }: { document: EnrichedVisit }) => document,
  );

it('updates stored visits and counts to what today’s catalog would have produced', async () => {
  const visits = someVisits(3_000);
  const { history, db } = await newHistory();
  history.catalog.change(BEFORE, [], ASSISTANTS.slice(0, 1));
  await history.serveRobots(VERSIONS_THEN);
  await history.store(visits);
  await history.sumUp();
  history.catalog.change(AFTER, [], ASSISTANTS);
  await history.serveRobots(VERSIONS_NOW);
  await history.start(RANGE);
  await history.service.workOff();
  const { state, preview } = await jobOf(db);
  expect(state).toBe('previewed');
  // A preview changes nothing.
  expect(
    await db.query(`SELECT DISTINCT agent_type FROM visits_full WHERE document ->> 'reidentified' IS NOT NULL`),
  ).toEqual([]);
  await db.query(`UPDATE reidentifications SET state = 'applying', after_at = range_from, after_id = DEFAULT`);
  await history.service.workOff();
  const { result } = await jobOf(db);
  expect(result).toEqual(preview);
  expect(result).toMatchObject({ looked_at: 3_000, other_changes: 0, past_retention: 0 });
  expect(result.changes.reduce((sum, { visits }) => sum + visits, 0)).toBe(result.changed);
  const visitsOf = (isIt: (change: ReidentificationReport['changes'][number]) => boolean): number =>
    result.changes.filter(isIt).reduce((sum, change) => sum + change.visits, 0);
  expect(visitsOf(({ from, to }) => from.agent_token === null && to.agent_token === 'NewBot')).toBe(600);
  expect(visitsOf(({ from, to }) => from.agent_token === 'GoneBot' && to.agent_token === null)).toBe(600);
  expect(visitsOf(({ from, to }) => from.result === 'verified' && to.result === 'verification_failed')).toBeGreaterThan(
    0,
  );
  expect(visitsOf(({ from, to }) => from.result === 'verification_failed' && to.result === 'verified')).toBeGreaterThan(
    0,
  );
  // Some visits change only in their assistant or robots.txt verdict.
  expect(visitsOf(({ from, to }) => from.assistant === null && to.assistant === 'Perplexity')).toBe(200);
  expect(
    visitsOf(
      ({ from, to }) => to.agent_token === from.agent_token && from.robots === 'allowed' && to.robots === 'disallowed',
    ),
  ).toBeGreaterThan(0);

  const fresh = await newHistory();
  fresh.history.catalog.change(AFTER, [], ASSISTANTS);
  await fresh.history.serveRobots(VERSIONS_NOW);
  await fresh.history.store(visits);
  const [changed, recounted] = [await contentsOf(history, db), await contentsOf(fresh.history, fresh.db)];
  for (const table of Object.keys(recounted)) {
    expect([table, changed[table]]).toEqual([table, recounted[table]]);
    expect([table, changed[table]!.length > 0]).toEqual([table, true]);
  }
});

it('stores the original verdict and restores it when the catalog change is reverted', async () => {
  const { history, db } = await newHistory();
  history.catalog.change(BUNDLED);
  await history.store([reported(visit('NewBot/1.0'), NOW - HOUR)]);
  const [original] = await documentsOf(db);
  const [{ position }] = await db.query(`SELECT position FROM visits_full`);
  history.catalog.change(AFTER);
  await history.start(RANGE, 'applying');
  await history.service.workOff();
  const [named] = await documentsOf(db);
  expect(named!.identification).toMatchObject({ agent_token: 'NewBot', result: 'not_verifiable' });
  const { identification, automation } = original!;
  expect(named!.reidentified!.earlier).toEqual({ identification, automation });
  expect(named!.automation).toBeUndefined();
  // The stream doesn't announce the visit again.
  expect(await db.query(`SELECT position FROM visits_full`)).toEqual([{ position }]);
  history.catalog.change(BUNDLED);
  await history.start(RANGE, 'applying');
  await history.service.workOff();
  expect((await documentsOf(db)).map((document) => JSON.stringify(document))).toEqual([JSON.stringify(original)]);
});

it('changes nothing when run a second time', async () => {
  const { history, db } = await newHistory();
  history.catalog.change(BEFORE);
  await history.store(someVisits(500));
  history.catalog.change(AFTER);
  await history.start(RANGE, 'applying');
  await history.service.workOff();
  const before = await contentsOf(history, db);
  const rows = await db.query(`SELECT xmin::text, id FROM visits ORDER BY id`);
  await history.start(RANGE, 'applying');
  await history.service.workOff();
  expect((await jobOf(db)).result).toMatchObject({ looked_at: 500, changed: 0 });
  expect(await contentsOf(history, db)).toEqual(before);
  expect(await db.query(`SELECT xmin::text, id FROM visits ORDER BY id`)).toEqual(rows);
});

it('neither loses nor duplicates visits when it resumes after dying mid-step', async () => {
  const visits = someVisits(2_500);
  const { history, db } = await newHistory();
  history.catalog.change(BEFORE);
  await history.store(visits);
  history.catalog.change(AFTER);
  await history.start(RANGE, 'applying');
  // Fails after rows and counts have changed, before the progress is saved.
  const store = history.changedVisits.store.bind(history.changedVisits);
  const dies = jest.spyOn(history.changedVisits, 'store').mockImplementation(async (...step) => {
    await store(...step);
    throw new Error('killed');
  });
  await history.service.step().catch(() => undefined);
  expect(await db.query(`SELECT FROM visits WHERE agent_type = 'Scraper' AND document::text LIKE '%NewBot%'`)).toEqual(
    [],
  );
  dies.mockRestore();
  await history.service.step();
  dies.mockImplementationOnce(async (...step) => {
    await store(...step);
    throw new Error('killed');
  });
  await history.service.workOff().catch(() => undefined);
  // Another process takes over once the claim of the first has expired.
  const second = new History({ dataSource: db, projectId: PROJECT });
  second.catalog.change(AFTER);
  expect(await second.service.step()).toBe(false);
  await db.query(`UPDATE reidentifications SET claimed_until = now() - interval '1 second'`);
  await second.service.workOff();
  expect(await jobOf(db)).toMatchObject({ state: 'applied', result: { looked_at: 2_500 } });
  const fresh = await newHistory();
  fresh.history.catalog.change(AFTER);
  await fresh.history.store(visits);
  expect(await contentsOf(history, db)).toEqual(await contentsOf(fresh.history, fresh.db));
});

it('yields to new visits after every few rows, without holding locks', async () => {
  const { history } = await newHistory();
  history.catalog.change(BUNDLED);
  await history.store(Array.from({ length: 50 }, (_, index) => reported(visit('NewBot/1.0'), NOW - HOUR, index)));
  history.catalog.change(AFTER);
  await history.start(RANGE, 'applying');
  let isLocking = false;
  const step = history.jobs.step.bind(history.jobs);
  jest.spyOn(history.jobs, 'step').mockImplementation(async (...job) => {
    isLocking = true;
    const isDone = await step(...job);
    isLocking = false;
    return isDone;
  });
  const givesWay = jest.spyOn(history.pace, 'giveWay').mockImplementation(async () => expect(isLocking).toBe(false));
  await history.service.step();
  expect(history.jobs.step).toHaveBeenCalledTimes(1);
  expect(givesWay.mock.calls.length).toBeGreaterThanOrEqual(50 / 10);
});

it('runs a step only once when two processes attempt it concurrently', async () => {
  const { history, db } = await newHistory();
  history.catalog.change(BUNDLED);
  await history.store(Array.from({ length: 50 }, (_, index) => reported(visit('NewBot/1.0'), NOW - HOUR, index)));
  history.catalog.change(AFTER);
  await history.start(RANGE, 'applying');
  const one = await history.jobs.claim('019a0000-0000-7000-8000-00000000000a');
  expect(await history.jobs.claim('019a0000-0000-7000-8000-00000000000b')).toBeNull();
  await db.query(`UPDATE reidentifications SET claimed_until = now() - interval '1 second'`);
  await history.service.step();
  expect(
    await history.jobs.step(one!, null, [], () => {
      throw new Error('it was done');
    }),
  ).toBe(false);
  expect((await jobOf(db)).result.changed).toBe(50);
});

it('continues other jobs while one fails', async () => {
  const { history, db } = await newHistory();
  const other = new History({ dataSource: db, projectId: '019a0000-0000-7000-8000-000000000002' });
  await db.query(`INSERT INTO projects (id, name) VALUES ('019a0000-0000-7000-8000-000000000002', 'Blog')`);
  const failing = await history.start(RANGE);
  const id = await other.start(RANGE);
  const page = history.jobs.page.bind(history.jobs);
  jest.spyOn(history.jobs, 'page').mockImplementation(async (job, most) => {
    if (job.id === failing) throw new Error('a visit that nobody can read');
    return page(job, most);
  });
  for (let round = 0; round < 3; round++) await history.service.workOff().catch(() => undefined);
  expect(await db.query(`SELECT id FROM reidentifications WHERE state = 'previewed'`)).toEqual([{ id }]);
});

it('stores a visit only once when it is redelivered after moving between tables', async () => {
  const { history, db } = await newHistory();
  const visits = [reported(visit('NewBot/1.0'), NOW - HOUR), reported(visit('GoneBot/1.0'), NOW - HOUR)];
  history.catalog.change(BEFORE);
  await history.store(visits);
  history.catalog.change(AFTER);
  await history.start(RANGE, 'applying');
  await history.service.workOff();
  const moved = await contentsOf(history, db);
  // Redelivered under the new catalog, then under the old one.
  await history.store(visits);
  history.catalog.change(BEFORE);
  await history.store(visits);
  expect(await contentsOf(history, db)).toEqual(moved);
  expect(moved['visits']).toHaveLength(2);
});

it('stops when paused, and does not restore a visit deleted in the meantime', async () => {
  const { history, db } = await newHistory();
  history.catalog.change(BUNDLED);
  await history.store([reported(visit('NewBot/1.0'), NOW - HOUR), reported(visit('NewBot/1.0'), NOW - HOUR, 1)]);
  history.catalog.change(AFTER);
  const id = await history.start(RANGE, 'applying');
  const page = history.jobs.page.bind(history.jobs);
  jest.spyOn(history.jobs, 'page').mockImplementationOnce(async (job, most) => {
    const found = await page(job, most);
    await db.query(`UPDATE unknown_visits SET project_id = NULL, document = NULL WHERE id = $1`, [
      (JSON.parse(found.documents[0]!) as EnrichedVisit).id,
    ]);
    return found;
  });
  await db.query(`UPDATE reidentifications SET is_paused = true WHERE id = $1`, [id]);
  await history.service.workOff();
  expect((await jobOf(db)).result).toBeNull();
  await db.query(`UPDATE reidentifications SET is_paused = false WHERE id = $1`, [id]);
  await history.service.workOff();
  expect((await jobOf(db)).result).toMatchObject({ changed: 1 });
  expect(await db.query(`SELECT agent_type FROM visits_full`)).toEqual([{ agent_type: 'Scraper' }]);
  // Deleting a visit doesn't change the counts.
  const total = `SELECT result, sum(visits)::int AS visits FROM visit_counts GROUP BY 1 ORDER BY 1`;
  expect(await db.query(total)).toEqual([
    { result: 'not_verifiable', visits: 1 },
    { result: 'unknown_agent', visits: 1 },
  ]);
});

it('changes only visits of the requested agent', async () => {
  const { history, db } = await newHistory();
  history.catalog.change(BEFORE);
  await history.store(someVisits(100));
  history.catalog.change(AFTER);
  await history.start({ ...RANGE, agent: 'newbot' }, 'applying');
  await history.service.workOff();
  const { result } = await jobOf(db);
  expect(result.changes.map(({ from, to, visits }) => [from.agent_token, to.agent_token, visits])).toEqual([
    [null, 'NewBot', 20],
  ]);
});

it('skips visits that are past the retention of what they would become', async () => {
  const { history, db } = await newHistory({ kept: { days: 90, unknownDays: 7 } });
  history.catalog.change(BEFORE);
  await history.store([
    reported(visit('GoneBot/1.0'), NOW - 8 * DAY),
    reported(visit('GoneBot/1.0'), NOW - 6 * DAY, 1),
  ]);
  history.catalog.change(AFTER);
  await history.start(RANGE, 'applying');
  await history.service.workOff();
  expect((await jobOf(db)).result).toMatchObject({ looked_at: 2, changed: 1, past_retention: 1 });
  const tokens = (await documentsOf(db)).map(({ identification }) => identification.agent_token);
  expect(tokens).toEqual(['GoneBot', null]);
});

it('pauses with an error if a step cannot succeed, and continues when resumed', async () => {
  const { history, db } = await newHistory();
  history.catalog.change(BUNDLED);
  await history.store([reported(visit('NewBot/1.0'), NOW - HOUR)]);
  history.catalog.change(AFTER);
  await history.start(RANGE, 'applying');
  const store = jest.spyOn(history.changedVisits, 'store').mockImplementation(async (transaction) => {
    await transaction.query(`SELECT 'x'::integer`);
    return [];
  });
  await history.service.workOff();
  expect(await jobOf(db)).toMatchObject({
    state: 'applying',
    is_paused: true,
    error: expect.stringContaining('invalid input syntax'),
    result: null,
  });
  store.mockRestore();
  await db.query(`UPDATE reidentifications SET is_paused = false`);
  await history.service.workOff();
  expect(await jobOf(db)).toMatchObject({ state: 'applied', error: null, result: { changed: 1 } });
});

describe('re-identification without the original evidence', () => {
  const OLD = NOW - 30 * DAY;
  const ADDRESS = '192.0.2.7';
  const dnsOf = (name: string | null): EvidenceSources => ({
    ...NO_SOURCES,
    dns: {
      hostNames: () => ({ values: name === null ? [] : [name] }),
      addresses: (asked: string) => ({ values: asked === name ? [ADDRESS] : [] }),
    },
  });
  const NAMED = agent('NamedBot', { reverse_dns_suffixes: ['bot.example'] });
  const renamed = { ...NAMED, operator: 'Renamed' };

  /** Stores a visit with past evidence, then re-identifies it with current evidence. */
  async function again(
    userAgent: string,
    then: { agents: readonly AgentRecord[]; sources?: EvidenceSources; lists?: string[] },
    now: { agents: readonly AgentRecord[]; sources?: EvidenceSources; lists?: string[]; mode?: 'reduced' },
    mode: 'kept' | 'reduced' | 'counted' = 'kept',
  ): Promise<{ visit: EnrichedVisit | undefined; report: ReidentificationReport; db: DataSource; history: History }> {
    const list = (ranges: string[], fetchedAt: number) => [{ url: 'https://bot.example/ips.json', ranges, fetchedAt }];
    const past = await newHistory({ now: () => OLD + 1_000, sources: then.sources ?? NO_SOURCES });
    past.history.catalog.change(then.agents, then.lists && list(then.lists, OLD));
    await past.history.store([reported(visit(userAgent), OLD)], mode);
    const history = new History({ dataSource: past.db, projectId: PROJECT, sources: now.sources ?? NO_SOURCES });
    history.catalog.change(now.agents, now.lists && list(now.lists, NOW));
    await past.db.query(`UPDATE projects SET unknown_visitors = $1`, [now.mode ?? 'kept']);
    await history.start(RANGE, 'applying');
    await history.service.workOff();
    const [visitNow] = await documentsOf(past.db);
    return { visit: visitNow, report: (await jobOf(past.db)).result, db: past.db, history };
  }

  it('reuses a DNS confirmation from the time of the visit', async () => {
    const then = { agents: [NAMED], sources: dnsOf('crawl.bot.example') };
    const { visit: kept, report } = await again('NamedBot/1.0', then, { agents: [renamed], sources: dnsOf(null) });
    expect(kept!.identification).toMatchObject({ result: 'verified', method: 'reverse_dns', operator_name: 'Renamed' });
    expect(kept!.identification.evidence).toMatchObject({ steps: [{ judged_at: new Date(OLD).toISOString() }] });
    expect(report.kept_steps).toMatchObject({ reverse_dns: 1 });
  });

  it('reuses a DNS refutation from the time of the visit', async () => {
    const then = { agents: [NAMED], sources: dnsOf('elsewhere.example') };
    const { visit: kept } = await again('NamedBot/1.0', then, { agents: [renamed], sources: dnsOf(null) });
    expect(kept!.identification).toMatchObject({
      result: 'verification_failed',
      reason: 'host_name_not_listed',
      operator_name: 'Renamed',
    });
  });

  it('does not refute old visits with current DNS records', async () => {
    const { visit: named } = await again(
      'NamedBot/1.0',
      { agents: [] },
      { agents: [NAMED], sources: dnsOf('x.example') },
    );
    expect(named!.identification).toMatchObject({ result: 'not_verifiable', reason: 'visit_too_old' });
    const { visit: proven } = await again(
      'NamedBot/1.0',
      { agents: [] },
      { agents: [NAMED], sources: dnsOf('a.bot.example') },
    );
    expect(proven!.identification).toMatchObject({ result: 'verified', method: 'reverse_dns' });
  });

  const LISTED = agent('ListedBot', { ip_list_urls: [{ url: 'https://bot.example/ips.json', format: 'prefixes' }] });
  it.each([
    { earlier: '192.0.2.0/24', now: '198.51.100.0/24', result: 'verified', reason: null },
    { earlier: '198.51.100.0/24', now: '203.0.113.0/24', result: 'verification_failed', reason: 'address_not_listed' },
    { earlier: '198.51.100.0/24', now: '192.0.2.0/24', result: 'verified', reason: null },
  ])('considers the ranges $earlier then and $now today: $result', async ({ earlier, now, result, reason }) => {
    const { visit: listed } = await again(
      'ListedBot/1.0',
      { agents: [LISTED], lists: [earlier] },
      { agents: [{ ...LISTED, operator: 'Renamed' }], lists: [now] },
    );
    expect(listed!.identification).toMatchObject({ result, reason, operator_name: 'Renamed' });
  });

  it('names agents of reduced visits by User-Agent, without refuting them', async () => {
    const ranged = agent('NewBot', { ip_ranges: ['203.0.113.0/24'] });
    const { visit: named, report } = await again('NewBot/1.0', { agents: [] }, { agents: [ranged] }, 'reduced');
    expect(named).toMatchObject({ client_address: null, kept_as: 'reduced' });
    expect(named!.identification).toMatchObject({ agent_token: 'NewBot', reason: 'no_client_address' });
    expect(report).toMatchObject({ looked_at: 1, changed: 1, by_user_agent: 1 });
  });

  it('reduces visits that become unknown, if the project reduces unknown visitors', async () => {
    const { visit: unknown } = await again(
      'GoneBot/1.0',
      { agents: [agent('GoneBot')] },
      { agents: [], mode: 'reduced' },
    );
    expect(unknown).toMatchObject({ client_address: null, kept_as: 'reduced' });
    expect(JSON.stringify(unknown)).not.toContain(ADDRESS);
  });

  it('preserves results that depend on headers no longer stored', async () => {
    const { history, db } = await newHistory();
    const people = { ...visit('Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0') };
    const sent = { ...people.request_headers, accept: 'text/html', referer: 'https://chatgpt.com/' };
    history.catalog.change(BUNDLED, [], ASSISTANTS);
    await history.store([reported({ ...people, request_headers: sent }, NOW - HOUR)], 'reduced');
    const [before] = await documentsOf(db);
    expect(before).toMatchObject({ referral: { assistant: 'ChatGPT' }, automation: { signs: ['no_accept_language'] } });
    expect(JSON.stringify(before)).not.toContain('accept"');
    history.catalog.change(AFTER, [], ASSISTANTS);
    await history.start(RANGE, 'applying');
    await history.service.workOff();
    expect((await jobOf(db)).result).toMatchObject({ looked_at: 1, changed: 0 });
  });

  it.each([
    ['by today’s lists, where its address was kept', 'kept', ['now']],
    ['as it was found then, where it was not', 'reduced', ['then']],
  ] as const)('determines data center visitors %s', async (_, mode, expected) => {
    const { history, db } = await newHistory();
    const from = (address: string, path: string) =>
      reported(
        visit('Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0', {
          request_path: path,
          client_address: address,
        }),
        NOW - HOUR,
      );
    history.catalog.change(BUNDLED, [], [], ['11.1.0.0/16']);
    await history.store([from('11.1.0.7', 'then'), from('11.2.0.7', 'now')], mode);
    history.catalog.change(BUNDLED, [], [], ['11.2.0.0/16']);
    await history.start(RANGE, 'applying');
    await history.service.workOff();
    const suspects = (await documentsOf(db)).filter(({ automation }) => automation!.signs.includes('data_center'));
    expect(suspects.map(({ visit: { request_path: path } }) => path)).toEqual(expected);
    await history.start(RANGE, 'applying');
    await history.service.workOff();
    expect((await jobOf(db)).result).toMatchObject({ looked_at: 2, changed: 0 });
  });

  it('preserves verdicts of robots.txt versions that no longer exist', async () => {
    const { history, db } = await newHistory();
    history.catalog.change(BEFORE);
    await history.serveRobots(VERSIONS_THEN);
    await history.store([reported(visit('GoneBot/1.0', { request_path: '/page-1' }), NOW - HOUR)]);
    await history.serveRobots([]);
    await history.start(RANGE, 'applying');
    await history.service.workOff();
    expect((await jobOf(db)).result).toMatchObject({ looked_at: 1, changed: 0 });
    expect(await documentsOf(db)).toMatchObject([{ robots: { verdict: 'disallowed', version: SECOND_VERSION } }]);
    // For a different agent, the verdict is unknown.
    history.catalog.change([...BUNDLED, { ...agent('OtherBot'), user_agent_patterns: ['GoneBot/'] }]);
    await history.start(RANGE, 'applying');
    await history.service.workOff();
    expect(await documentsOf(db)).toMatchObject([{ robots: { verdict: 'unknown', version: null } }]);
  });

  it('ignores visits that were only counted', async () => {
    const { report, db } = await again('NewBot/1.0', { agents: [] }, { agents: [agent('NewBot')] }, 'counted');
    expect(report).toMatchObject({ looked_at: 0, changed: 0 });
    expect(await db.query(`SELECT sum(visits)::int AS visits FROM visit_counts`)).toEqual([{ visits: 1 }]);
  });
});
