import { jest } from '@jest/globals';
import { agentId } from '#libs/catalog';
import { createBatchId, createVisitId, type EnrichedVisit, type VisitChange } from '#libs/contracts';
import { createClickHouseDatabase } from '../../../../test/kit/clickhouse.js';
import { startTestDatabase, type TestDatabase } from '../../../../test/kit/database.js';
import { toStoredRow, createVisitRow, type StoredVisit } from '../../../../test/kit/stored-visits.js';
import { CheckoutsRepository } from '../checkouts.repository.js';
import { PartitionsRepository, toDayNumber } from '../partitions.repository.js';
import { ReadTimeoutError } from '../read-timeout-error.js';
import type { ReidentifiedVisitsRepository } from '../reidentified-visits.repository.js';
import type { VisitRow } from '../visit-row.js';
import { createAddressMatcher } from '../visit-deletion.repository.js';
import { prepareVisitStore } from '../visit-store-location.repository.js';
import { BatchesRepository } from './batches.repository.js';
import { ClickHouse } from './clickhouse.js';
import { ClickHouseMovedCountsRepository } from './moved-counts.repository.js';
import { ClickHouseReidentificationsRepository } from './reidentifications.repository.js';
import { ClickHouseReidentifiedVisitsRepository } from './reidentified-visits.repository.js';
import { ClickHouseRemovedProjectsRepository } from './removed-projects.repository.js';
import { ClickHouseVisitChangesRepository } from './visit-changes.repository.js';
import { ClickHouseVisitDeletionRepository } from './visit-deletion.repository.js';
import { ClickHouseVisitsRepository } from './visits.repository.js';

const PROJECT = '019a0000-0000-7000-8000-000000000001';
const OTHER_PROJECT = '019a0000-0000-7000-8000-000000000002';
const CLAIMANT = '019a0000-0000-7000-8000-00000000000a';
const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-21T08:00:00Z');
const ADDRESS = '203.0.113.7';
const REPORT = {
  looked_at: 0,
  changed: 0,
  changes: [],
  other_changes: 0,
  kept_steps: { http_message_signature: 0, ip_range: 0, reverse_dns: 0 },
  by_user_agent: 0,
  past_retention: 0,
};

let database: TestDatabase;
let clickhouse: ClickHouse;
let batches: BatchesRepository;
let checkouts: CheckoutsRepository;
let visits: ClickHouseVisitsRepository;
let changedVisits: ClickHouseReidentifiedVisitsRepository;
let jobs: ClickHouseReidentificationsRepository;
let deletion: ClickHouseVisitDeletionRepository;
let removedProjects: ClickHouseRemovedProjectsRepository;
let visitChanges: ClickHouseVisitChangesRepository;
beforeAll(async () => {
  database = await startTestDatabase();
  const { dataSource } = database;
  const options = await createClickHouseDatabase();
  expect(await prepareVisitStore(dataSource, options)).toBe(true);
  await dataSource.query(`UPDATE instance_settings SET publishes_audit = true`);
  await dataSource.query(`INSERT INTO projects (id, name) VALUES ($1, 'One'), ($2, 'Other')`, [PROJECT, OTHER_PROJECT]);
  await new PartitionsRepository(dataSource).ensure([toDayNumber(NOW), toDayNumber(NOW) - 100]);
  clickhouse = new ClickHouse(options);
  batches = new BatchesRepository(dataSource, clickhouse);
  checkouts = new CheckoutsRepository(dataSource);
  visits = new ClickHouseVisitsRepository(dataSource, clickhouse, batches);
  const counts = new ClickHouseMovedCountsRepository(clickhouse);
  changedVisits = new ClickHouseReidentifiedVisitsRepository(clickhouse, batches, counts, checkouts);
  jobs = new ClickHouseReidentificationsRepository(
    dataSource,
    changedVisits as unknown as ReidentifiedVisitsRepository,
    clickhouse,
    batches,
  );
  deletion = new ClickHouseVisitDeletionRepository(dataSource, clickhouse, batches);
  removedProjects = new ClickHouseRemovedProjectsRepository(dataSource, clickhouse, batches);
  visitChanges = new ClickHouseVisitChangesRepository(dataSource, clickhouse, batches);
});
afterAll(async () => {
  await clickhouse.close();
  await database.stop();
});

afterEach(async () => {
  jest.restoreAllMocks();
  await clickhouse.command(`TRUNCATE TABLE ${clickhouse.localVisits}`);
  await database.dataSource.query(
    `TRUNCATE unknown_visits, visit_batches, visit_changes, visit_counts, visit_top_counts, reidentifications, removed_projects`,
  );
});

const createRows = (count: number, visit: Partial<StoredVisit> = {}, projectId = PROJECT, batch = createBatchId(NOW)) =>
  Array.from({ length: count }, (_, index) =>
    createVisitRow(projectId, createVisitId(batch, index), NOW, {
      at: new Date(NOW - (index % 5) * 1_200_000).toISOString(),
      path: `/page-${index % 3}`,
      ...visit,
    }),
  );

interface Stored {
  id: string;
  agent_id: string | null;
  document: string;
  shard: number;
  number: number;
}
const readStored = (projectId = PROJECT): Promise<Stored[]> =>
  clickhouse.query(`SELECT * FROM ${clickhouse.visits} WHERE project_id = {projectId:UUID} ORDER BY UUIDToNum(id)`, {
    projectId,
  });
const countPending = async (): Promise<number> =>
  (await database.dataSource.query(`SELECT count(*)::int AS batches FROM visit_batches`))[0].batches;
/** Returns the number of rows on the disk that contain the text, even if they are deleted. */
const countOnDisk = async (text: string): Promise<number> => {
  const [row] = await clickhouse.query<{ visits: number }>(
    `SELECT count() AS visits FROM ${clickhouse.visits} WHERE position(document, {text:String}) > 0`,
    { text },
    { settings: { apply_deleted_mask: 0 } },
  );
  return row!.visits;
};

async function startJob(): Promise<void> {
  await database.dataSource.query(
    `INSERT INTO reidentifications (id, project_id, range_from, range_to, after_at, state)
     VALUES (gen_random_uuid(), $1, '2020-01-01', '2030-01-01', '2020-01-01', 'applying')`,
    [PROJECT],
  );
}

const identifyAs = (visit: EnrichedVisit, agent: string): EnrichedVisit => ({
  ...visit,
  identification: { ...visit.identification, result: 'verified', agent_id: agentId(agent), agent_token: agent },
});

/** Changes the agent of the next visits of the job. @returns false if there are no more visits. */
async function runStep(agent: string, maxVisits = 1_000, afterReading = async () => {}): Promise<boolean> {
  const job = await jobs.claim(CLAIMANT);
  if (job === null) return false;
  const { documents, last } = await jobs.page(job, maxVisits);
  await afterReading();
  const changes = documents.map((text) => {
    const visit = JSON.parse(text) as EnrichedVisit;
    return { before: toStoredRow(visit), after: toStoredRow(identifyAs(visit, agent)) };
  });
  await jobs.step(job, last, await changedVisits.prepare(changes), () => REPORT);
  return true;
}
/** Runs steps until the job is done. Repeats failed steps like the service. */
async function runJob(agent: string, maxVisits = 1_000): Promise<void> {
  for (let hasMore = true; hasMore;) {
    try {
      hasMore = await runStep(agent, maxVisits);
    } catch (error) {
      // A concurrent deletion can store visits again that the step has just replaced.
      if (!(error instanceof ReadTimeoutError)) throw error;
    }
  }
}

/** Deletes visits like a client, which repeats a request that has failed. @returns the number of deleted visits. */
async function erase(address: string): Promise<number> {
  let deleted = 0;
  for (let cursor: Parameters<typeof deletion.delete>[1] | null; cursor !== null;) {
    const result = await deletion.delete({ address, projectId: null }, cursor, 2_000).catch((error: unknown) => {
      if (error instanceof Error && error.message === 'stopped') return null;
      throw error;
    });
    if (result === null) continue;
    deleted += result.deleted.visits;
    cursor = result.next;
  }
  return deleted;
}

async function readCounts(): Promise<unknown[]> {
  return database.dataSource.query(
    `SELECT extract(epoch FROM bucket)::float8 AS bucket, agent_id, result, sum(visits)::int AS visits,
       extract(epoch FROM max(last_at))::float8 * 1000 AS last_at
     FROM visit_counts WHERE project_id = $1 GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
    [PROJECT],
  );
}
const recount = (): Promise<unknown[]> =>
  clickhouse.query(
    `SELECT intDiv(occurred_at, 900000) * 900 AS bucket, toString(agent_id) AS agent_id, result, count() AS visits,
       max(occurred_at) AS last_at
     FROM ${clickhouse.visits} WHERE project_id = {project:UUID} GROUP BY ALL ORDER BY bucket, agent_id, result`,
    { project: PROJECT },
  );

async function publishChanges(): Promise<readonly VisitChange[]> {
  const published: VisitChange[] = [];
  while ((await visitChanges.publishOldest(async (changes) => void published.push(...changes))) > 0) continue;
  return published;
}

/** Ways in which a process or a connection can fail once. If `isDone`, the operation took effect before that. */
type Failure = (isDone: boolean) => void;

function failCommand(start: string): Failure {
  return (isDone) => {
    const command = clickhouse.command.bind(clickhouse);
    let hasFailed = false;
    jest.spyOn(clickhouse, 'command').mockImplementation(async (text, ...rest) => {
      const fails = !hasFailed && text.replace(/^ALTER TABLE \S+ /, '').startsWith(start);
      hasFailed ||= fails;
      if (!fails || isDone) await command(text, ...rest);
      if (fails) throw new Error('stopped');
    });
  };
}

function failToForgetBatch(isDone: boolean): void {
  const query = database.dataSource.query.bind(database.dataSource);
  let hasFailed = false;
  jest.spyOn(database.dataSource, 'query').mockImplementation(async (text, ...rest) => {
    const fails = !hasFailed && text.startsWith('DELETE FROM visit_batches');
    hasFailed ||= fails;
    const result: unknown = fails && !isDone ? null : await query(text, ...rest);
    if (fails) throw new Error('stopped');
    return result;
  });
}

function failInTransaction(isDone: boolean): void {
  const replace = batches.replace.bind(batches);
  jest.spyOn(batches, 'replace').mockImplementationOnce(async (...parameters) => {
    if (isDone) await replace(...parameters);
    throw new Error('stopped');
  });
}

const FAILURES: [string, Failure][] = [
  ['the new versions are recorded', failInTransaction],
  ['the new versions are inserted', failCommand('INSERT')],
  ['the earlier versions are deleted', failCommand('DELETE FROM')],
  ['the batch is forgotten', failToForgetBatch],
];
const withTimes = (failures: typeof FAILURES): [string, string, Failure, boolean][] =>
  failures.flatMap(([what, fail]) => [
    ['before', what, fail, false],
    ['after', what, fail, true],
  ]);

describe('re-identification', () => {
  it('replaces visits and moves their counts', async () => {
    await visits.store([...createRows(1_500, { agent: 'GPTBot' }), ...createRows(1_500)]);
    await visits.store(createRows(10, {}, OTHER_PROJECT));
    const before = await readStored();
    await startJob();
    await runJob('NewBot', 700);
    const after = await readStored();
    const positions = (rows: readonly Stored[]) => rows.map(({ id, shard, number }) => [id, shard, number]);
    expect(positions(after)).toEqual(positions(before));
    expect(new Set(after.map(({ agent_id: id }) => id))).toEqual(new Set([agentId('NewBot')]));
    expect(after.every(({ document }) => document.includes('"agent_token":"NewBot"'))).toBe(true);
    expect(await readCounts()).toEqual(await recount());
    expect((await readStored(OTHER_PROJECT)).map(({ agent_id: id }) => id)).toEqual(
      Array.from({ length: 10 }, () => null),
    );
    expect(await countPending()).toBe(0);
  });

  it('continues while ClickHouse rejects changed visits of another project', async () => {
    await visits.store(createRows(3));
    await database.dataSource.query(
      `INSERT INTO visit_batches (projects, replaced_ids, visits) VALUES (ARRAY[$1::uuid], '{}', 'invalid')`,
      [OTHER_PROJECT],
    );
    await startJob();
    await runJob('NewBot');
    expect((await readStored()).map(({ agent_id: id }) => id)).toEqual(
      Array.from({ length: 3 }, () => agentId('NewBot')),
    );
    const result = await deletion.delete({ address: null, projectId: PROJECT }, undefined, 60_000);
    expect(result).toMatchObject({ deleted: { visits: 3 } });
    expect(await countPending()).toBe(1);
  });

  it('includes visits that have been accepted but are not in ClickHouse yet', async () => {
    jest.spyOn(clickhouse, 'insert').mockRejectedValueOnce(new Error('connection lost'));
    await expect(visits.store(createRows(3))).rejects.toThrow('connection lost');
    await startJob();
    await runJob('NewBot');
    expect((await readStored()).map(({ agent_id: id }) => id)).toEqual(
      Array.from({ length: 3 }, () => agentId('NewBot')),
    );
  });

  it('reads visits with the same time once, in pages of any size', async () => {
    await visits.store(createRows(25, { at: '2026-11-21T07:00:00.123Z' }));
    await startJob();
    const pages: string[][] = [];
    const page = jobs.page.bind(jobs);
    jest.spyOn(jobs, 'page').mockImplementation(async (...parameters) => {
      const result = await page(...parameters);
      pages.push(result.documents.map((text) => (JSON.parse(text) as EnrichedVisit).id));
      return result;
    });
    await runJob('NewBot', 10);
    expect(pages.map(({ length }) => length)).toEqual([10, 10, 5, 0]);
    expect(pages.flat()).toEqual((await readStored()).map(({ id }) => id));
  });

  it.each(withTimes(FAILURES))(
    'is finished by another process if it stops %s %s',
    async (_time, _what, fail, isDone) => {
      await visits.store([...createRows(30, { agent: 'GPTBot' }), ...createRows(30)]);
      await startJob();
      fail(isDone);
      await expect(runStep('NewBot', 20)).rejects.toThrow('stopped');
      await runJob('NewBot', 20);
      const stored = await readStored();
      expect(stored.map(({ agent_id: id }) => id)).toEqual(Array.from({ length: 60 }, () => agentId('NewBot')));
      expect(await readCounts()).toEqual(await recount());
      expect(await countPending()).toBe(0);
      expect(await publishChanges()).toHaveLength(60);
    },
  );

  it("doesn't repeat a change if a stopped process continues after another one has finished it", async () => {
    await visits.store(createRows(10));
    await startJob();
    const [stopped, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const command = clickhouse.command.bind(clickhouse);
    jest.spyOn(clickhouse, 'command').mockImplementationOnce(async (...parameters) => {
      stopped.resolve();
      await resumed.promise;
      await command(...parameters);
    });
    const first = runStep('NewBot');
    await stopped.promise;
    await database.dataSource.query(`UPDATE reidentifications SET claimed_until = '-infinity'`);
    await runJob('NewBot');
    await startJob();
    await runJob('NewerBot');
    resumed.resolve();
    await first;
    expect((await readStored()).map(({ agent_id: id }) => id)).toEqual(
      Array.from({ length: 10 }, () => agentId('NewerBot')),
    );
    expect(await readCounts()).toEqual(await recount());
  });
});

describe('erasure', () => {
  const COUNT = 12;
  const storeAddress = async (): Promise<VisitRow[]> => {
    const rows = [
      ...createRows(COUNT / 2, { address: ADDRESS, agent: 'GPTBot' }),
      ...createRows(COUNT / 2, { address: ADDRESS }),
    ];
    await visits.store([...rows, ...createRows(5, { address: '203.0.113.70' })]);
    return rows;
  };

  it.each([
    ...withTimes(FAILURES),
    ...withTimes([
      ['patches are applied', failCommand('APPLY PATCHES')],
      ['deleted rows are removed', failCommand('APPLY DELETED MASK')],
    ]),
  ])('deletes and publishes each visit once if a request fails %s %s', async (_time, _what, fail, isDone) => {
    const rows = await storeAddress();
    fail(isDone);
    await erase(ADDRESS);
    expect(await readStored()).toHaveLength(5);
    expect(await countOnDisk(`"${ADDRESS}"`)).toBe(0);
    expect(await countPending()).toBe(0);
    const published = await publishChanges();
    expect(published.map(({ change, visit_id: id }) => [change, id]).toSorted()).toEqual(
      rows.map(({ id }) => ['erased', id]).toSorted(),
    );
  });

  it('counts the deleted visits', async () => {
    await storeAddress();
    const counts = await readCounts();
    expect(await erase(ADDRESS)).toBe(COUNT);
    expect(await erase(ADDRESS)).toBe(0);
    expect(await readCounts()).toEqual(counts);
  });

  it("doesn't store an erased visit again", async () => {
    const rows = await storeAddress();
    await erase(ADDRESS);
    expect(await visits.store(rows)).toEqual([]);
    expect(await readStored()).toHaveLength(5);
  });

  it("doesn't import an erased visit again after PostgreSQL has deleted its ID", async () => {
    const rows = createRows(3, { address: ADDRESS }, PROJECT, createBatchId(NOW - 100 * DAY_MS));
    await visits.store(rows);
    expect(await erase(ADDRESS)).toBe(3);
    await database.dataSource.query(`DELETE FROM unknown_visits`);
    expect(await visits.store(rows)).toEqual([]);
    expect(await readStored()).toEqual([]);
  });

  it('includes visits that have been accepted but are not in ClickHouse yet', async () => {
    const rows = createRows(3, { address: ADDRESS });
    jest.spyOn(clickhouse, 'insert').mockRejectedValueOnce(new Error('connection lost'));
    await expect(visits.store(rows)).rejects.toThrow('connection lost');
    expect(await erase(ADDRESS)).toBe(3);
    expect(await visits.store(rows)).toEqual([]);
    expect([await readStored(), await countOnDisk(ADDRESS)]).toEqual([[], 0]);
  });

  it('includes earlier versions of visits', async () => {
    await visits.store(createRows(3, { address: ADDRESS }));
    await startJob();
    const reduce = jest.spyOn(changedVisits, 'prepare').mockImplementationOnce(async (changes) => {
      reduce.mockRestore();
      return changedVisits.prepare(
        changes.map(({ before, after }) => ({
          before,
          after: toStoredRow({ ...after.document, client_address: null }),
        })),
      );
    });
    await runJob('NewBot');
    expect((await readStored()).some(({ document }) => document.includes(ADDRESS))).toBe(false);
    expect(await countOnDisk(ADDRESS)).toBe(3);
    expect(await erase(ADDRESS)).toBe(0);
    expect([(await readStored()).length, await countOnDisk(ADDRESS)]).toEqual([3, 0]);
  });

  it.each(withTimes(FAILURES.slice(1)))(
    'includes re-identified visits whose process stopped %s %s',
    async (_time, _what, fail, isDone) => {
      await visits.store(createRows(6, { address: ADDRESS }));
      await startJob();
      fail(isDone);
      await expect(runStep('NewBot')).rejects.toThrow('stopped');
      // An erasure lasts until no visits are being re-identified.
      expect(await Promise.all([erase(ADDRESS), runJob('NewBot')])).toEqual([6, undefined]);
      expect([await readStored(), await countOnDisk(ADDRESS)]).toEqual([[], 0]);
    },
  );

  it.each(withTimes(FAILURES.slice(1)))(
    'prevents re-identification from restoring visits if the request fails %s %s',
    async (_time, _what, fail, isDone) => {
      await visits.store([...createRows(6, { address: ADDRESS }), ...createRows(2)]);
      await startJob();
      await runStep('NewBot', 100, async () => {
        fail(isDone);
        const criteria = { address: ADDRESS, projectId: null };
        await expect(deletion.delete(criteria, undefined, 2_000)).rejects.toThrow('stopped');
      });
      await runJob('NewBot');
      const stored = await readStored();
      expect(stored.map(({ agent_id: id }) => id)).toEqual([agentId('NewBot'), agentId('NewBot')]);
      expect(stored.some(({ document }) => document.includes(ADDRESS))).toBe(false);
    },
  );

  it('finds all visits while they are being re-identified', async () => {
    await visits.store([...createRows(600, { address: ADDRESS }), ...createRows(600)]);
    await startJob();
    const [, deleted] = await Promise.all([runJob('NewBot', 25), erase(ADDRESS)]);
    const stored = await readStored();
    expect([deleted, stored.length, await countOnDisk(ADDRESS)]).toEqual([600, 600, 0]);
    expect(new Set(stored.map(({ agent_id: id }) => id))).toEqual(new Set([agentId('NewBot')]));
  });

  it('searches every column that can contain an address', async () => {
    const columns = await clickhouse.query<{ name: string }>(
      `SELECT name FROM system.columns
       WHERE database = {database:String} AND table = 'visits' AND type LIKE '%String%'
         AND name NOT IN ('agent_type', 'operator', 'result', 'assistant', 'decisions')`,
      { database: clickhouse.options.database },
    );
    expect(columns.length).toBeGreaterThan(0);
    for (const [index, { name }] of columns.entries()) {
      await clickhouse.command(
        `INSERT INTO ${clickhouse.visits} (project_id, id, day, ${name})
         VALUES ({project:UUID}, {id:UUID}, '2026-11-21', {address:String})`,
        { project: PROJECT, id: createVisitId(createBatchId(NOW), index), address: ADDRESS },
      );
    }
    await erase(ADDRESS);
    expect(await readStored()).toEqual([]);
  });

  it('deletes the visits of a project on any number of days with a few statements', async () => {
    await visits.store(createRows(10));
    const days = Array.from({ length: 5 }, (_, index) => toDayNumber(NOW) - 1 - index);
    await new PartitionsRepository(database.dataSource).ensure(days);
    for (const day of days) await visits.store(createRows(2, {}, OTHER_PROJECT, createBatchId(day * DAY_MS)));
    await visits.store([...createRows(5, { agent: 'GPTBot' }, OTHER_PROJECT), ...createRows(3_500, {}, OTHER_PROJECT)]);
    const commands = jest.spyOn(clickhouse, 'command');
    const result = await deletion.delete({ address: null, projectId: OTHER_PROJECT }, undefined, 60_000);
    expect(result).toMatchObject({ deleted: { visits: 3_515 }, next: null });
    expect(commands.mock.calls.map(([text]) => /^INSERT|^DELETE|APPLY [A-Z]+/.exec(text)?.[0])).toEqual([
      'INSERT',
      'DELETE',
      'APPLY PATCHES',
      'APPLY DELETED',
    ]);
    expect([(await readStored()).length, await readStored(OTHER_PROJECT)]).toEqual([10, []]);
  });

  it.each([ADDRESS, '2001:db8::7', '::1', '::ffff:1.2.3.4'])(
    'finds %s in text like the archive does',
    async (address) => {
      const before = [
        '',
        ' ',
        '1',
        'f',
        '.',
        ':',
        '%20',
        '%2',
        '\\n',
        '\n',
        '\\u0001',
        '\\134',
        'ip:',
        'ip=',
        '::ffff:',
        '[',
        '"',
        'é',
        'K',
      ];
      const after = ['', ' ', '0', 'a', '.', '.4', '.x', ':', ':443', '/24', ']', '"', '\n', '\\n', 'é', '%20'];
      const texts = [address, address.toUpperCase()].flatMap((text) =>
        before.flatMap((prefix) => after.map((suffix) => `${prefix}${text}${suffix}`)),
      );
      const isMatch = createAddressMatcher(address);
      const rows = texts.map((path, index) =>
        createVisitRow(PROJECT, createVisitId(createBatchId(NOW), index), NOW, {
          at: new Date(NOW).toISOString(),
          path,
        }),
      );
      await visits.store(
        rows.map((row, index) => ({
          ...row,
          path: texts[index]!,
          document: { ...row.document, visit: { ...row.document.visit, request_path: '/' } },
        })),
      );
      await erase(address);
      const remaining = await clickhouse.query<{ path: string }>(
        `SELECT path FROM ${clickhouse.visits} WHERE project_id = {project:UUID}`,
        { project: PROJECT },
      );
      expect(remaining.map(({ path }) => path).toSorted()).toEqual(texts.filter((text) => !isMatch(text)).toSorted());
      expect(remaining.length).toBeLessThan(texts.length);
    },
  );
});

it("deletes a removed project's visits, including pending and earlier versions", async () => {
  await visits.store([...createRows(20, { path: '/removed' }), ...createRows(3, {}, OTHER_PROJECT)]);
  await startJob();
  await runJob('NewBot');
  jest.spyOn(clickhouse, 'insert').mockRejectedValueOnce(new Error('connection lost'));
  await expect(visits.store(createRows(2, { path: '/removed' }))).rejects.toThrow('connection lost');
  await database.dataSource.transaction((transaction) => removedProjects.add(transaction, PROJECT));
  for await (const _step of removedProjects.delete(PROJECT)) continue;
  expect([await readStored(), await countOnDisk('/removed')]).toEqual([[], 0]);
  expect(await readStored(OTHER_PROJECT)).toHaveLength(3);
  expect(await readCounts()).toEqual([]);
});

describe('publishing changes', () => {
  it.each(withTimes(FAILURES.slice(1)))(
    'includes the latest version of a visit whose process stopped %s %s',
    async (_time, _what, fail, isDone) => {
      await visits.store(createRows(3));
      await startJob();
      fail(isDone);
      await expect(runStep('NewBot')).rejects.toThrow('stopped');
      const published = await publishChanges();
      expect(published.map(({ change, enriched_visit: visit }) => [change, visit?.identification.agent_token])).toEqual(
        Array.from({ length: 3 }, () => ['reidentified', 'NewBot']),
      );
    },
  );

  it('publishes an erasure if the visit is now only counted', async () => {
    await visits.store(createRows(3, { agent: 'GPTBot' }));
    await startJob();
    const job = await jobs.claim(CLAIMANT);
    const { documents, last } = await jobs.page(job!, 10);
    const changes = documents.map((text) => {
      const visit = JSON.parse(text) as EnrichedVisit;
      const identification = { ...visit.identification, result: 'unknown_agent' as const, agent_id: null };
      return { before: toStoredRow(visit), after: toStoredRow({ ...visit, identification, kept_as: 'counted' }) };
    });
    await jobs.step(job!, last, await changedVisits.prepare(changes), () => REPORT);
    expect(await readStored()).toEqual([]);
    expect((await publishChanges()).map(({ change }) => change)).toEqual(['erased', 'erased', 'erased']);
  });
});
