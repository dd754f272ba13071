import { jest } from '@jest/globals';
import type { EvidenceSources } from '#libs/agents';
import { getBundledCatalog, type AgentRecord } from '#libs/catalog';
import { type AssistantRecord, type EnrichedVisit, type ReidentificationReport, type Visit } from '#libs/contracts';
import { VisitDeletionRepository } from '#libs/visit-store';
import type { DataSource } from 'typeorm';
import { startTestDatabase, type TestDatabase } from '../kit/database.js';
import { UNAVAILABLE_SOURCES } from '../kit/identifier.js';
import {
  ReidentificationHistory,
  createReportedVisit,
  type HistoryOptions,
  type ReportedVisit,
} from '../kit/reidentification-history.js';
import { createRepository, readVisits } from '../kit/visit-store.js';

const PROJECT = '019a0000-0000-7000-8000-000000000001';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.now();

const createAgent = (token: string, verification: AgentRecord['verification'] = {}): AgentRecord => ({
  token,
  type: 'Scraper',
  operator: 'Example',
  url: null,
  user_agent_patterns: [`${token}/`],
  robots_token: token,
  verification,
});
const createAssistant = (name: string, host: string): AssistantRecord => ({
  name,
  operator: name,
  hosts: [host],
  query_values: [],
  android_apps: [],
});
const BUNDLED: readonly AgentRecord[] = getBundledCatalog().agents.filter(({ token }) => token !== 'GPTBot');

/** User-Agents of a browser, a bundled agent, and agents whose records change between the old and the new catalog. */
const USER_AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (compatible; Bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'NewBot/1.0',
  'GoneBot/1.0',
  'RangedBot/1.0',
];

const createVisit = (userAgent: string, extra: Partial<Visit> = {}): Visit => ({
  request_path: '/',
  request_method: 'GET',
  request_headers: { 'user-agent': userAgent, 'x-forwarded-for': '192.0.2.7' },
  response_status_code: 200,
  ...extra,
});

/** Returns fields that vary between visits with the same User-Agent. */
function createExtraFields(index: number): Partial<Visit> {
  // Visits by browsers, some of them referred by an assistant.
  if (index % USER_AGENTS.length === 0) {
    const sender = ['?utm_source=chatgpt.com', '?utm_source=perplexity.ai', ''][(index / 5) % 3]!;
    return { request_path: `/page-${(index * 31) % 11}${sender}`, response_status_code: 200 };
  }
  if (index % 4 !== 0) return {};
  // Several visits belong to the same checkout.
  const checkout = {
    id: `checkout-${Math.floor(index / 30)}`,
    status: ['ready_for_payment', 'completed'][index % 2],
    currency: 'eur',
    totals: [{ type: 'total', amount: 100 + (index % 5) }],
  };
  return { request_method: 'POST', request_path: '/checkout_sessions', acp_response_body: checkout };
}

/** Returns visits spread over five days. Some of them are reported up to six hours late. */
const createVisits = (count: number): ReportedVisit[] =>
  Array.from({ length: count }, (_, index) => {
    const at = NOW - 5 * DAY_MS + Math.floor((index / count) * 5 * DAY_MS);
    const late = index % 7 === 0 ? Math.min(NOW - at, 6 * HOUR_MS) : 0;
    return createReportedVisit(
      createVisit(USER_AGENTS[index % USER_AGENTS.length]!, {
        request_path: `/page-${(index * 31) % 11}?n=${index}`,
        created: new Date(at).toISOString(),
        response_status_code: [200, 404, null][index % 3]!,
        request_headers: {
          'user-agent': USER_AGENTS[index % USER_AGENTS.length]!,
          'x-forwarded-for': `192.0.2.${index % 200}`,
        },
        ...createExtraFields(index),
      }),
      at + late,
      index % 5,
    );
  });

const ASSISTANTS = [createAssistant('ChatGPT', 'chatgpt.com'), createAssistant('Perplexity', 'perplexity.ai')];
const [FIRST_VERSION, SECOND_VERSION, LATE_VERSION] = [1, 2, 3].map(
  (n) => `019a0000-0000-7000-8000-00000000010${n}`,
) as [string, string, string];
const PERMISSIVE_ROBOTS_TXT = 'User-agent: *\nAllow: /';
/** The robots.txt versions that were known when the visits arrived. `VERSIONS_NOW` adds one that was recorded later. */
const VERSIONS_THEN = [
  { id: FIRST_VERSION, from: NOW - 6 * DAY_MS, until: NOW - 3 * DAY_MS, text: PERMISSIVE_ROBOTS_TXT },
  {
    id: SECOND_VERSION,
    from: NOW - 3 * DAY_MS,
    until: null,
    text: 'User-agent: GoneBot\nUser-agent: NewBot\nDisallow: /page-1',
  },
];
const VERSIONS_NOW = [
  { ...VERSIONS_THEN[0]!, until: NOW - 4 * DAY_MS },
  { id: LATE_VERSION, from: NOW - 4 * DAY_MS, until: NOW - 3 * DAY_MS, text: 'User-agent: *\nDisallow: /checkout' },
  VERSIONS_THEN[1]!,
];

const AGENTS_BEFORE = [...BUNDLED, createAgent('GoneBot'), createAgent('RangedBot', { ip_ranges: ['192.0.2.0/26'] })];
const AGENTS_AFTER = [...BUNDLED, createAgent('NewBot'), createAgent('RangedBot', { ip_ranges: ['192.0.2.64/26'] })];
const RANGE = { from: new Date(NOW - 60 * DAY_MS).toISOString(), to: new Date(NOW + DAY_MS).toISOString() };

const databases: TestDatabase[] = [];
async function createHistory(
  options: Partial<HistoryOptions> = {},
): Promise<{ history: ReidentificationHistory; db: DataSource }> {
  const database = await startTestDatabase();
  databases.push(database);
  const db = database.dataSource;
  await db.query(`INSERT INTO projects (id, name, host_names) VALUES ($1, 'Shop', '{shop.example}')`, [PROJECT]);
  const history = await ReidentificationHistory.open({ dataSource: db, projectId: PROJECT, ...options });
  return { history, db };
}
afterEach(async () => {
  jest.restoreAllMocks();
  for (const database of databases.splice(0)) await database.stop();
});

/** Returns a query for the rows of a count table, summed over its shards. */
const buildCountsQuery = (table: string): string => {
  const sharded = table === 'visit_counts' || table === 'visit_top_counts';
  const keys = table.includes('top') ? 'dimension, value' : 'agent_id, agent_type, result';
  const last = table.includes('top') ? '' : ', max(last_at) AS last_at';
  return sharded
    ? `SELECT project_id, bucket, ${keys}, sum(visits)::int AS visits${last} FROM ${table} GROUP BY 1, 2, 3, 4${table.includes('top') ? '' : ', 5'} ORDER BY 1, 2, 3, 4, 5`
    : `SELECT project_id, bucket, ${keys}, visits::int AS visits${last.replace('max(last_at) AS ', '')} FROM ${table} ORDER BY 1, 2, 3, 4, 5`;
};
const COUNT_TABLES = [
  'visit_counts',
  'visit_top_counts',
  'visit_hour_counts',
  'visit_day_counts',
  'visit_day_top_counts',
];

/** Returns everything that a recount must reproduce. Omits `reidentified`, the evidence and the catalog version. */
async function readContents(history: ReidentificationHistory, db: DataSource): Promise<Record<string, unknown[]>> {
  await history.rollUpCounts();
  const contents: Record<string, unknown[]> = {};
  for (const table of COUNT_TABLES) contents[table] = await db.query(buildCountsQuery(table));
  contents['visit_hour_top_counts'] = await db.query(
    `SELECT * FROM visit_hour_top_counts ORDER BY project_id, bucket, dimension`,
  );
  contents['visits'] = (await readVisits(db)).map(({ document, shard: _shard, number: _number, ...columns }) => {
    const { reidentified: _, identification, ...rest } = JSON.parse(document) as EnrichedVisit;
    return { ...columns, ...rest, identification: { ...identification, evidence: null, catalog_version: null } };
  });
  contents['checkouts'] = await db.query(`SELECT * FROM checkouts ORDER BY project_id, id`);
  contents['ids'] = await db.query(
    `SELECT id, project_id IS NULL AS is_alone, document IS NULL AS is_empty FROM unknown_visits ORDER BY id`,
  );
  return contents;
}

const readLatestJob = async (
  db: DataSource,
): Promise<Pick<Reidentification, 'state'> & Record<'preview' | 'result', ReidentificationReport>> =>
  (
    await db.query(
      `SELECT state, is_paused, preview, result, error FROM reidentifications ORDER BY created_at DESC LIMIT 1`,
    )
  )[0];
type Reidentification = { state: string; is_paused: boolean; error: string | null };
const readDocuments = async (db: DataSource): Promise<EnrichedVisit[]> =>
  (await readVisits(db))
    .sort((one, other) => one.occurred_at - other.occurred_at)
    .map(({ document }) => JSON.parse(document) as EnrichedVisit);

it("updates stored visits and counts as if today's catalog had always been in use", async () => {
  const visits = createVisits(3_000);
  const { history, db } = await createHistory();
  history.catalog.change(AGENTS_BEFORE, [], ASSISTANTS.slice(0, 1));
  await history.serveRobots(VERSIONS_THEN);
  await history.store(visits);
  await history.rollUpCounts();
  history.catalog.change(AGENTS_AFTER, [], ASSISTANTS);
  await history.serveRobots(VERSIONS_NOW);
  await history.start(RANGE);
  await history.service.runAll();
  const { state, preview } = await readLatestJob(db);
  expect(state).toBe('previewed');
  // A preview doesn't change any visits.
  expect((await readDocuments(db)).filter(({ reidentified }) => reidentified !== undefined)).toEqual([]);
  await db.query(`UPDATE reidentifications SET state = 'applying', after_at = range_from, after_id = DEFAULT`);
  await history.service.runAll();
  const { result } = await readLatestJob(db);
  expect(result).toEqual(preview);
  expect(result).toMatchObject({ looked_at: 3_000, other_changes: 0, past_retention: 0 });
  expect(result.changes.reduce((sum, { visits }) => sum + visits, 0)).toBe(result.changed);
  const countVisits = (isMatch: (change: ReidentificationReport['changes'][number]) => boolean): number =>
    result.changes.filter(isMatch).reduce((sum, change) => sum + change.visits, 0);
  expect(countVisits(({ from, to }) => from.agent_token === null && to.agent_token === 'NewBot')).toBe(600);
  expect(countVisits(({ from, to }) => from.agent_token === 'GoneBot' && to.agent_token === null)).toBe(600);
  expect(
    countVisits(({ from, to }) => from.result === 'verified' && to.result === 'verification_failed'),
  ).toBeGreaterThan(0);
  expect(
    countVisits(({ from, to }) => from.result === 'verification_failed' && to.result === 'verified'),
  ).toBeGreaterThan(0);
  // For some visits, only the assistant or the robots.txt verdict changes.
  expect(countVisits(({ from, to }) => from.assistant === null && to.assistant === 'Perplexity')).toBe(200);
  expect(
    countVisits(
      ({ from, to }) => to.agent_token === from.agent_token && from.robots === 'allowed' && to.robots === 'disallowed',
    ),
  ).toBeGreaterThan(0);

  const fresh = await createHistory();
  fresh.history.catalog.change(AGENTS_AFTER, [], ASSISTANTS);
  await fresh.history.serveRobots(VERSIONS_NOW);
  await fresh.history.store(visits);
  const [changed, recounted] = [await readContents(history, db), await readContents(fresh.history, fresh.db)];
  for (const table of Object.keys(recounted)) {
    expect([table, changed[table]]).toEqual([table, recounted[table]]);
    expect([table, changed[table]!.length > 0]).toEqual([table, true]);
  }
});

it('stores the original verdict and restores it when the catalog change is reverted', async () => {
  const { history, db } = await createHistory();
  history.catalog.change(BUNDLED);
  await history.store([createReportedVisit(createVisit('NewBot/1.0'), NOW - HOUR_MS)]);
  const [original] = await readDocuments(db);
  const readPositions = async () => (await readVisits(db)).map(({ shard, number }) => [shard, number]);
  const positions = await readPositions();
  history.catalog.change(AGENTS_AFTER);
  await history.start(RANGE, 'applying');
  await history.service.runAll();
  const [identifiedVisit] = await readDocuments(db);
  expect(identifiedVisit!.identification).toMatchObject({ agent_token: 'NewBot', result: 'not_verifiable' });
  const { identification, automation } = original!;
  expect(identifiedVisit!.reidentified!.earlier).toEqual({ identification, automation });
  expect(identifiedVisit!.automation).toBeUndefined();
  // The visit keeps its stream position, so it isn't streamed again.
  expect(await readPositions()).toEqual(positions);
  history.catalog.change(BUNDLED);
  await history.start(RANGE, 'applying');
  await history.service.runAll();
  expect((await readDocuments(db)).map((document) => JSON.stringify(document))).toEqual([JSON.stringify(original)]);
});

it('makes no changes on a second run', async () => {
  const { history, db } = await createHistory();
  history.catalog.change(AGENTS_BEFORE);
  await history.store(createVisits(500));
  history.catalog.change(AGENTS_AFTER);
  await history.start(RANGE, 'applying');
  await history.service.runAll();
  const before = await readContents(history, db);
  const rows = await db.query(`SELECT xmin::text, id FROM visits ORDER BY id`);
  await history.start(RANGE, 'applying');
  await history.service.runAll();
  expect((await readLatestJob(db)).result).toMatchObject({ looked_at: 500, changed: 0 });
  expect(await readContents(history, db)).toEqual(before);
  expect(await db.query(`SELECT xmin::text, id FROM visits ORDER BY id`)).toEqual(rows);
});

it('neither loses nor duplicates visits if it resumes after a crash in the middle of a step', async () => {
  const visits = createVisits(2_500);
  const { history, db } = await createHistory();
  history.catalog.change(AGENTS_BEFORE);
  await history.store(visits);
  history.catalog.change(AGENTS_AFTER);
  await history.start(RANGE, 'applying');
  // Simulate a failure after the rows and counts have changed, but before the progress is saved.
  const store = history.changedVisits.store.bind(history.changedVisits);
  const crashingStore = jest.spyOn(history.changedVisits, 'store').mockImplementation(async (...step) => {
    await store(...step);
    throw new Error('killed');
  });
  await history.service.runNextStep().catch(() => undefined);
  const isNewBot = ({ identification }: EnrichedVisit): boolean => identification.agent_token === 'NewBot';
  expect((await readDocuments(db)).filter(isNewBot)).toEqual([]);
  crashingStore.mockRestore();
  await history.service.runNextStep();
  crashingStore.mockImplementationOnce(async (...step) => {
    await store(...step);
    throw new Error('killed');
  });
  await history.service.runAll().catch(() => undefined);
  // Another process takes over once the first one's claim has expired.
  const second = await ReidentificationHistory.open({ dataSource: db, projectId: PROJECT });
  second.catalog.change(AGENTS_AFTER);
  expect(await second.service.runNextStep()).toBe(false);
  await db.query(`UPDATE reidentifications SET claimed_until = now() - interval '1 second'`);
  await second.service.runAll();
  expect(await readLatestJob(db)).toMatchObject({ state: 'applied', result: { looked_at: 2_500 } });
  const fresh = await createHistory();
  fresh.history.catalog.change(AGENTS_AFTER);
  await fresh.history.store(visits);
  expect(await readContents(history, db)).toEqual(await readContents(fresh.history, fresh.db));
});

it('yields to new visits after every few rows, without holding locks', async () => {
  const { history } = await createHistory();
  history.catalog.change(BUNDLED);
  await history.store(
    Array.from({ length: 50 }, (_, index) => createReportedVisit(createVisit('NewBot/1.0'), NOW - HOUR_MS, index)),
  );
  history.catalog.change(AGENTS_AFTER);
  await history.start(RANGE, 'applying');
  let isLocking = false;
  const step = history.jobs.step.bind(history.jobs);
  jest.spyOn(history.jobs, 'step').mockImplementation(async (...job) => {
    isLocking = true;
    const isDone = await step(...job);
    isLocking = false;
    return isDone;
  });
  const giveWaySpy = jest
    .spyOn(history.pace, 'yieldToNewVisits')
    .mockImplementation(async () => expect(isLocking).toBe(false));
  await history.service.runNextStep();
  expect(history.jobs.step).toHaveBeenCalledTimes(1);
  expect(giveWaySpy.mock.calls.length).toBeGreaterThanOrEqual(50 / 10);
});

it('runs a step only once if two processes attempt it', async () => {
  const { history, db } = await createHistory();
  history.catalog.change(BUNDLED);
  await history.store(
    Array.from({ length: 50 }, (_, index) => createReportedVisit(createVisit('NewBot/1.0'), NOW - HOUR_MS, index)),
  );
  history.catalog.change(AGENTS_AFTER);
  await history.start(RANGE, 'applying');
  const one = await history.jobs.claim('019a0000-0000-7000-8000-00000000000a');
  expect(await history.jobs.claim('019a0000-0000-7000-8000-00000000000b')).toBeNull();
  await db.query(`UPDATE reidentifications SET claimed_until = now() - interval '1 second'`);
  await history.service.runNextStep();
  expect(
    await history.jobs.step(one!, null, [], () => {
      throw new Error('the step ran twice');
    }),
  ).toBe(false);
  expect((await readLatestJob(db)).result.changed).toBe(50);
});

it('continues other jobs if one fails', async () => {
  const { history, db } = await createHistory();
  const other = await ReidentificationHistory.open({
    dataSource: db,
    projectId: '019a0000-0000-7000-8000-000000000002',
  });
  await db.query(`INSERT INTO projects (id, name) VALUES ('019a0000-0000-7000-8000-000000000002', 'Blog')`);
  const failing = await history.start(RANGE);
  const id = await other.start(RANGE);
  const page = history.jobs.page.bind(history.jobs);
  jest.spyOn(history.jobs, 'page').mockImplementation(async (job, most) => {
    if (job.id === failing) throw new Error('unreadable visit');
    return page(job, most);
  });
  for (let round = 0; round < 3; round++) await history.service.runAll().catch(() => undefined);
  expect(await db.query(`SELECT id FROM reidentifications WHERE state = 'previewed'`)).toEqual([{ id }]);
});

it('stores a visit only once if it is redelivered after moving between tables', async () => {
  const { history, db } = await createHistory();
  const visits = [
    createReportedVisit(createVisit('NewBot/1.0'), NOW - HOUR_MS),
    createReportedVisit(createVisit('GoneBot/1.0'), NOW - HOUR_MS),
  ];
  history.catalog.change(AGENTS_BEFORE);
  await history.store(visits);
  history.catalog.change(AGENTS_AFTER);
  await history.start(RANGE, 'applying');
  await history.service.runAll();
  const moved = await readContents(history, db);
  // Redelivers the visits under the new catalog, then under the old one.
  await history.store(visits);
  history.catalog.change(AGENTS_BEFORE);
  await history.store(visits);
  expect(await readContents(history, db)).toEqual(moved);
  expect(moved['visits']).toHaveLength(2);
});

it('stops when paused and does not restore a visit that is deleted during a step', async () => {
  const { history, db } = await createHistory();
  history.catalog.change(BUNDLED);
  await history.store([
    createReportedVisit(createVisit('NewBot/1.0', { request_path: '/?ip=203.0.113.7' }), NOW - HOUR_MS),
    createReportedVisit(createVisit('NewBot/1.0'), NOW - HOUR_MS, 1),
  ]);
  history.catalog.change(AGENTS_AFTER);
  const id = await history.start(RANGE, 'applying');
  const deletion = await createRepository(db, VisitDeletionRepository);
  const page = history.jobs.page.bind(history.jobs);
  jest.spyOn(history.jobs, 'page').mockImplementationOnce(async (job, most) => {
    const found = await page(job, most);
    const { deleted } = await deletion.delete({ address: '203.0.113.7', projectId: null }, undefined, 10_000);
    expect([found.documents.length, deleted.visits]).toEqual([2, 1]);
    return found;
  });
  await db.query(`UPDATE reidentifications SET is_paused = true WHERE id = $1`, [id]);
  await history.service.runAll();
  expect((await readLatestJob(db)).result).toBeNull();
  await db.query(`UPDATE reidentifications SET is_paused = false WHERE id = $1`, [id]);
  await history.service.runAll();
  expect((await readLatestJob(db)).result).toMatchObject({ changed: 1 });
  expect((await readVisits(db)).map(({ agent_type: type }) => type)).toEqual(['Scraper']);
  // Deleting a visit doesn't change the counts.
  const total = `SELECT result, sum(visits)::int AS visits FROM visit_counts GROUP BY 1 ORDER BY 1`;
  expect(await db.query(total)).toEqual([
    { result: 'not_verifiable', visits: 1 },
    { result: 'unknown_agent', visits: 1 },
  ]);
});

it('changes only visits by the requested agent', async () => {
  const { history, db } = await createHistory();
  history.catalog.change(AGENTS_BEFORE);
  await history.store(createVisits(100));
  history.catalog.change(AGENTS_AFTER);
  await history.start({ ...RANGE, agent: 'newbot' }, 'applying');
  await history.service.runAll();
  const { result } = await readLatestJob(db);
  expect(result.changes.map(({ from, to, visits }) => [from.agent_token, to.agent_token, visits])).toEqual([
    [null, 'NewBot', 20],
  ]);
});

it('skips visits that exceed the retention period for their new type', async () => {
  const { history, db } = await createHistory({ retention: { days: 90, unknownDays: 7 } });
  history.catalog.change(AGENTS_BEFORE);
  await history.store([
    createReportedVisit(createVisit('GoneBot/1.0'), NOW - 8 * DAY_MS),
    createReportedVisit(createVisit('GoneBot/1.0'), NOW - 6 * DAY_MS, 1),
  ]);
  history.catalog.change(AGENTS_AFTER);
  await history.start(RANGE, 'applying');
  await history.service.runAll();
  expect((await readLatestJob(db)).result).toMatchObject({ looked_at: 2, changed: 1, past_retention: 1 });
  const tokens = (await readDocuments(db)).map(({ identification }) => identification.agent_token);
  expect(tokens).toEqual(['GoneBot', null]);
});

it('pauses with an error if a step cannot succeed, and continues once resumed', async () => {
  const { history, db } = await createHistory();
  history.catalog.change(BUNDLED);
  await history.store([createReportedVisit(createVisit('NewBot/1.0'), NOW - HOUR_MS)]);
  history.catalog.change(AGENTS_AFTER);
  await history.start(RANGE, 'applying');
  const store = jest.spyOn(history.changedVisits, 'store').mockImplementation(async (transaction) => {
    await transaction.query(`SELECT 'x'::integer`);
    return [];
  });
  await history.service.runAll();
  expect(await readLatestJob(db)).toMatchObject({
    state: 'applying',
    is_paused: true,
    error: expect.stringContaining('invalid input syntax'),
    result: null,
  });
  store.mockRestore();
  await db.query(`UPDATE reidentifications SET is_paused = false`);
  await history.service.runAll();
  expect(await readLatestJob(db)).toMatchObject({ state: 'applied', error: null, result: { changed: 1 } });
});

describe('re-identification without the original evidence', () => {
  const VISIT_TIME = NOW - 30 * DAY_MS;
  const ADDRESS = '192.0.2.7';
  const createSources = (name: string | null): EvidenceSources => ({
    ...UNAVAILABLE_SOURCES,
    dns: {
      hostNames: () => ({ values: name === null ? [] : [name] }),
      addresses: (asked: string) => ({ values: asked === name ? [ADDRESS] : [] }),
    },
  });
  const NAMED_BOT = createAgent('NamedBot', { reverse_dns_suffixes: ['bot.example'] });
  const renamedBot = { ...NAMED_BOT, operator: 'Renamed' };

  /** Stores a visit with past evidence, then re-identifies it with current evidence. */
  async function reidentify(
    userAgent: string,
    then: { agents: readonly AgentRecord[]; sources?: EvidenceSources; lists?: string[] },
    now: { agents: readonly AgentRecord[]; sources?: EvidenceSources; lists?: string[]; mode?: 'reduced' },
    mode: 'kept' | 'reduced' | 'counted' = 'kept',
  ): Promise<{
    visit: EnrichedVisit | undefined;
    report: ReidentificationReport;
    db: DataSource;
    history: ReidentificationHistory;
  }> {
    const list = (ranges: string[], fetchedAt: number) => [
      { url: 'https://bot.example/ips.json', ranges, fetchedAt, changedAt: fetchedAt },
    ];
    const past = await createHistory({ now: () => VISIT_TIME + 1_000, sources: then.sources ?? UNAVAILABLE_SOURCES });
    past.history.catalog.change(then.agents, then.lists && list(then.lists, VISIT_TIME));
    await past.history.store([createReportedVisit(createVisit(userAgent), VISIT_TIME)], mode);
    const history = await ReidentificationHistory.open({
      dataSource: past.db,
      projectId: PROJECT,
      sources: now.sources ?? UNAVAILABLE_SOURCES,
    });
    history.catalog.change(now.agents, now.lists && list(now.lists, NOW));
    await past.db.query(`UPDATE projects SET unknown_visitors = $1`, [now.mode ?? 'kept']);
    await history.start(RANGE, 'applying');
    await history.service.runAll();
    const [visitNow] = await readDocuments(past.db);
    return { visit: visitNow, report: (await readLatestJob(past.db)).result, db: past.db, history };
  }

  it('reuses a DNS confirmation from when the visit took place', async () => {
    const then = { agents: [NAMED_BOT], sources: createSources('crawl.bot.example') };
    const { visit: reidentifiedVisit, report } = await reidentify('NamedBot/1.0', then, {
      agents: [renamedBot],
      sources: createSources(null),
    });
    expect(reidentifiedVisit!.identification).toMatchObject({
      result: 'verified',
      method: 'reverse_dns',
      operator_name: 'Renamed',
    });
    expect(reidentifiedVisit!.identification.evidence).toMatchObject({
      steps: [{ judged_at: new Date(VISIT_TIME).toISOString() }],
    });
    expect(report.kept_steps).toMatchObject({ reverse_dns: 1 });
  });

  it('reuses a DNS refutation from when the visit took place', async () => {
    const then = { agents: [NAMED_BOT], sources: createSources('elsewhere.example') };
    const { visit: reidentifiedVisit } = await reidentify('NamedBot/1.0', then, {
      agents: [renamedBot],
      sources: createSources(null),
    });
    expect(reidentifiedVisit!.identification).toMatchObject({
      result: 'verification_failed',
      reason: 'host_name_not_listed',
      operator_name: 'Renamed',
    });
  });

  it('does not refute old visits with current DNS records', async () => {
    const { visit: identifiedVisit } = await reidentify(
      'NamedBot/1.0',
      { agents: [] },
      { agents: [NAMED_BOT], sources: createSources('x.example') },
    );
    expect(identifiedVisit!.identification).toMatchObject({ result: 'not_verifiable', reason: 'visit_too_old' });
    const { visit: verifiedVisit } = await reidentify(
      'NamedBot/1.0',
      { agents: [] },
      { agents: [NAMED_BOT], sources: createSources('a.bot.example') },
    );
    expect(verifiedVisit!.identification).toMatchObject({ result: 'verified', method: 'reverse_dns' });
  });

  const LISTED_BOT = createAgent('ListedBot', {
    ip_list_urls: [{ url: 'https://bot.example/ips.json', format: 'prefixes' }],
  });
  it.each([
    { earlier: '192.0.2.0/24', now: '198.51.100.0/24', result: 'verified', reason: null },
    { earlier: '198.51.100.0/24', now: '203.0.113.0/24', result: 'verification_failed', reason: 'address_not_listed' },
    { earlier: '198.51.100.0/24', now: '192.0.2.0/24', result: 'verified', reason: null },
  ])(
    'returns $result for the ranges $earlier at the time of the visit and $now today',
    async ({ earlier, now, result, reason }) => {
      const { visit: listed } = await reidentify(
        'ListedBot/1.0',
        { agents: [LISTED_BOT], lists: [earlier] },
        { agents: [{ ...LISTED_BOT, operator: 'Renamed' }], lists: [now] },
      );
      expect(listed!.identification).toMatchObject({ result, reason, operator_name: 'Renamed' });
    },
  );

  it('identifies agents in reduced visits by User-Agent, without refuting them', async () => {
    const rangedBot = createAgent('NewBot', { ip_ranges: ['203.0.113.0/24'] });
    const { visit: identifiedVisit, report } = await reidentify(
      'NewBot/1.0',
      { agents: [] },
      { agents: [rangedBot] },
      'reduced',
    );
    expect(identifiedVisit).toMatchObject({ client_address: null, kept_as: 'reduced' });
    expect(identifiedVisit!.identification).toMatchObject({ agent_token: 'NewBot', reason: 'no_client_address' });
    expect(report).toMatchObject({ looked_at: 1, changed: 1, by_user_agent: 1 });
  });

  it('reduces visits that become unknown if the project reduces unknown visitors', async () => {
    const { visit: unknown } = await reidentify(
      'GoneBot/1.0',
      { agents: [createAgent('GoneBot')] },
      { agents: [], mode: 'reduced' },
    );
    expect(unknown).toMatchObject({ client_address: null, kept_as: 'reduced' });
    expect(JSON.stringify(unknown)).not.toContain(ADDRESS);
  });

  it('preserves results that depend on headers that are not stored', async () => {
    const { history, db } = await createHistory();
    const people = { ...createVisit('Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0') };
    const sent = { ...people.request_headers, accept: 'text/html', referer: 'https://chatgpt.com/' };
    history.catalog.change(BUNDLED, [], ASSISTANTS);
    await history.store([createReportedVisit({ ...people, request_headers: sent }, NOW - HOUR_MS)], 'reduced');
    const [before] = await readDocuments(db);
    expect(before).toMatchObject({ referral: { assistant: 'ChatGPT' }, automation: { signs: ['no_accept_language'] } });
    expect(JSON.stringify(before)).not.toContain('accept"');
    history.catalog.change(AGENTS_AFTER, [], ASSISTANTS);
    await history.start(RANGE, 'applying');
    await history.service.runAll();
    expect((await readLatestJob(db)).result).toMatchObject({ looked_at: 1, changed: 0 });
  });

  it.each([
    ["with today's lists if the address is stored", 'kept', ['now']],
    ['from the original result if the address is not stored', 'reduced', ['then']],
  ] as const)('detects data center visitors %s', async (_, mode, expected) => {
    const { history, db } = await createHistory();
    const from = (address: string, path: string) =>
      createReportedVisit(
        createVisit('Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0', {
          request_path: path,
          client_address: address,
        }),
        NOW - HOUR_MS,
      );
    history.catalog.change(BUNDLED, [], [], ['11.1.0.0/16']);
    await history.store([from('11.1.0.7', 'then'), from('11.2.0.7', 'now')], mode);
    history.catalog.change(BUNDLED, [], [], ['11.2.0.0/16']);
    await history.start(RANGE, 'applying');
    await history.service.runAll();
    const suspects = (await readDocuments(db)).filter(({ automation }) => automation!.signs.includes('data_center'));
    expect(suspects.map(({ visit: { request_path: path } }) => path)).toEqual(expected);
    await history.start(RANGE, 'applying');
    await history.service.runAll();
    expect((await readLatestJob(db)).result).toMatchObject({ looked_at: 2, changed: 0 });
  });

  it('preserves verdicts from robots.txt versions that no longer exist', async () => {
    const { history, db } = await createHistory();
    history.catalog.change(AGENTS_BEFORE);
    await history.serveRobots(VERSIONS_THEN);
    await history.store([createReportedVisit(createVisit('GoneBot/1.0', { request_path: '/page-1' }), NOW - HOUR_MS)]);
    await history.serveRobots([]);
    await history.start(RANGE, 'applying');
    await history.service.runAll();
    expect((await readLatestJob(db)).result).toMatchObject({ looked_at: 1, changed: 0 });
    expect(await readDocuments(db)).toMatchObject([{ robots: { verdict: 'disallowed', version: SECOND_VERSION } }]);
    // The verdict for a different agent is unknown.
    history.catalog.change([...BUNDLED, { ...createAgent('OtherBot'), user_agent_patterns: ['GoneBot/'] }]);
    await history.start(RANGE, 'applying');
    await history.service.runAll();
    expect(await readDocuments(db)).toMatchObject([{ robots: { verdict: 'unknown', version: null } }]);
  });

  it('ignores visits that were only counted', async () => {
    const { report, db } = await reidentify(
      'NewBot/1.0',
      { agents: [] },
      { agents: [createAgent('NewBot')] },
      'counted',
    );
    expect(report).toMatchObject({ looked_at: 0, changed: 0 });
    expect(await db.query(`SELECT sum(visits)::int AS visits FROM visit_counts`)).toEqual([{ visits: 1 }]);
  });
});
