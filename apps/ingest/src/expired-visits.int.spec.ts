import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openArchive, type Archive } from '#libs/archive';
import { timelineCursor, type TimelineCursor } from '#libs/contracts';
import { createDataSource } from '#libs/database';
import {
  ExpiredPartitionsRepository,
  PartitionsRepository,
  RestoredVisitsRepository,
  TimelineRepository,
  toDayNumber,
  VisitFormsRepository,
} from '#libs/visit-store';
import { pino } from 'pino';
import { register } from 'prom-client';
import { startTestDatabase, type TestDatabase } from '../../../test/kit/database.js';
import { until } from '../../../test/kit/instance.js';
import { temporaryFolder } from '../../../test/kit/run-folder.js';
import { storeVisits, type StoredVisit } from '../../../test/kit/stored-visits.js';
import { createRepository, readVisits, onlyInPostgres } from '../../../test/kit/visit-store.js';
import { ExpiredVisits } from './expired-visits.service.js';
import { InstanceSettingsRepository } from './instance-settings.repository.js';

const DAY_MS = 86_400_000;
const NOW = Date.now();
const TODAY = toDayNumber(NOW);
const SHOP = '019a0000-0000-7000-8000-000000000001';
const BLOG = '019a0000-0000-7000-8000-000000000002';
const UNUSUAL_TEXT = '\ufeffa"b\\c\td\r\n\u007f\u2028é日😀%s %1$s %% \\u0000';

let database: TestDatabase;
let folder: string;
let archive: Archive;

beforeEach(async () => {
  database = await startTestDatabase();
  folder = await temporaryFolder();
  archive = openArchive({ ARCHIVE_URL: folder })!;
  await query(`INSERT INTO projects (id, name) VALUES ($1, 'Shop'), ($2, 'Blog')`, [SHOP, BLOG]);
});
afterEach(async () => {
  await database.stop();
  await rm(folder, { recursive: true });
});

const query = <T>(text: string, parameters?: unknown[]): Promise<T[]> =>
  database.dataSource.query(text, parameters) as Promise<T[]>;

const getPartitions = () => createRepository(database.dataSource, PartitionsRepository);
const getExpired = () => createRepository(database.dataSource, ExpiredPartitionsRepository);

const createService = async (lines: string[] = [], url = folder): Promise<ExpiredVisits> => {
  const [partitions, expired] = [await getPartitions(), await getExpired()];
  const logger = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const settings = new InstanceSettingsRepository(database.dataSource);
  return new ExpiredVisits(partitions, expired, settings, { ARCHIVE_URL: url || undefined }, logger);
};

const { signal } = new AbortController();
async function deleteExpired(service?: ExpiredVisits, days = 0): Promise<[number[], number[]]> {
  const usedService = service ?? (await createService());
  return [
    await usedService.delete('unknown', TODAY - days, signal),
    await usedService.delete('agents', TODAY - days, signal),
  ];
}

/** Stores all kinds of visits, as received on a previous day. */
async function storeDay(daysAgo: number, count = 20): Promise<void> {
  const received = NOW - daysAgo * DAY_MS;
  const at = new Date(received - 60_000).toISOString();
  const visits: StoredVisit[] = Array.from({ length: count }, (_, index) => ({
    at: new Date(received - ((index * 7_919) % 3_600_000)).toISOString(),
    path: `/${daysAgo}/${index}`,
    address: `192.0.2.${index % 250}`,
    headers: { Host: 'shop.example', 'User-Agent': `visitor ${index % 3}` },
    ...(index % 2 && { agent: 'GPTBot', type: 'AI Data Scraper', operator: 'OpenAI', result: 'verified' as const }),
  }));
  visits.push(
    { at, path: `/${UNUSUAL_TEXT}`, headers: { [UNUSUAL_TEXT]: UNUSUAL_TEXT }, status: 404.25 },
    { at: '1815-12-10T00:00:00.123Z', status: 1e21, extra: { note: { deep: [[{}]], ['__proto__']: 1 } } },
    { at, keptAs: 'counted' },
    { at, agent: 'Googlebot', extra: { mcp_request_tool_name: 'search', response_status_code: null } },
    {
      at,
      insights: {
        automation: { verdict: 'likely', signs: ['http_library'] },
        robots: { verdict: 'disallowed' } as never,
      },
    },
  );
  await storeVisits(database.dataSource, SHOP, received, visits);
  await storeVisits(database.dataSource, BLOG, received, visits.slice(0, 3));
}

/** Returns a project's documents in export order, oldest first. */
async function exportVisits(projectId: string): Promise<string[]> {
  const timeline = await createRepository(database.dataSource, TimelineRepository);
  const documents: string[] = [];
  let cursor: TimelineCursor | null = null;
  do {
    const query = { cursor, limit: 1_000, order: 'oldest' } as Parameters<TimelineRepository['page']>[1];
    const page = await timeline.page(projectId, query);
    documents.push(...page.documents);
    cursor = page.nextCursor === null ? null : timelineCursor.read(page.nextCursor);
  } while (cursor !== null);
  return documents;
}

/** Returns a project's archived documents in export order, with the field that exports add. */
async function readArchive(projectId: string): Promise<string[]> {
  const visits = [];
  for await (const { day, projects } of archive.list()) {
    for (const project of projects.filter((candidate) => candidate.project_id === projectId))
      for await (const page of archive.readProject(day, project)) visits.push(...page);
  }
  return visits
    .toSorted((one, other) => one.occurred_at - other.occurred_at || (one.id < other.id ? -1 : 1))
    .map(({ document }) => `${document.slice(0, -1)},"client_network":null}`);
}

async function restoreAll(keepDays = 30): Promise<number> {
  const restored = await createRepository(database.dataSource, RestoredVisitsRepository);
  let stored = 0;
  for await (const { day, visitors, projects } of archive.list()) {
    await restored.prepareDay(day, keepDays);
    for (const project of projects)
      for await (const page of archive.readProject(day, project)) stored += await restored.store(visitors, page);
  }
  return stored;
}

/** Returns the Base64 content of every archived file by name. */
async function readFiles(): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const contents = await Promise.all(
    files.toSorted().map(async (file) => [file.slice(folder.length), (await readFile(file)).toString('base64')]),
  );
  return Object.fromEntries(contents);
}

async function countPartitions(): Promise<number> {
  const partitions = await getPartitions();
  const [agents, unknown] = [
    await partitions.listExpired('agents', TODAY),
    await partitions.listExpired('unknown', TODAY),
  ];
  return agents.length + unknown.length;
}

const untilBlocked = (table: string) =>
  until(
    async () => {
      const blocked = await query(
        `SELECT FROM pg_locks l JOIN pg_class c ON c.oid = l.relation WHERE NOT granted AND c.relname LIKE $1`,
        [table],
      );
      return blocked.length > 0;
    },
    { condition: `a statement waits for ${table}` },
  );
const countUnarchived = async (): Promise<number | undefined> =>
  (await register.getSingleMetric('agent_traffic_ingest_unarchived_partitions')!.get()).values[0]?.value;

it('archives a month identically to the export before the visits are deleted', async () => {
  for (let daysAgo = 1; daysAgo <= 30; daysAgo += 1) await storeDay(daysAgo);
  const exported = [await exportVisits(SHOP), await exportVisits(BLOG)];
  expect(exported.map(({ length }) => length)).toEqual([30 * 24, 30 * 3]);
  const [unknown, agents] = await deleteExpired();
  expect([unknown.length, agents.length]).toEqual([30, 30]);
  expect(await exportVisits(SHOP)).toEqual([]);
  expect([await readArchive(SHOP), await readArchive(BLOG)]).toEqual(exported);
  for await (const { day, projects } of archive.list())
    for (const file of projects.flatMap(({ files }) => files)) expect(await archive.verify(day, file)).toBeNull();
});

it('archives visits by unknown visitors when their shorter retention period ends', async () => {
  await storeDay(5);
  const exported = await exportVisits(SHOP);
  const service = await createService();
  await service.delete('unknown', TODAY - 2, signal);
  await service.delete('agents', TODAY - 9, signal);
  expect([...(await readArchive(SHOP)), ...(await exportVisits(SHOP))].toSorted()).toEqual(exported.toSorted());
});

it('restores visits with their documents, columns and positions, without counting them', async () => {
  await storeDay(2);
  await storeDay(1);
  const readAll = async () => [
    await exportVisits(SHOP),
    await exportVisits(BLOG),
    await readVisits(database.dataSource),
    await query('SELECT * FROM visit_counts ORDER BY 1, 2, 3, 4, 5'),
  ];
  const before = await readAll();
  await deleteExpired();
  expect(await restoreAll()).toBe(54);
  expect(await readAll()).toEqual(before);
  expect(await restoreAll()).toBe(0);
  expect(await readAll()).toEqual(before);
});

it('keeps restored visits for the requested time, and leaves the archive unchanged', async () => {
  await storeDay(1);
  await deleteExpired();
  const archived = await readArchive(SHOP);
  await restoreAll();
  expect(await deleteExpired()).toEqual([[], []]);
  expect(await exportVisits(SHOP)).toEqual(archived);
  await query('UPDATE restored_days SET kept_until = now()');
  expect(await deleteExpired()).toEqual([[TODAY - 1], [TODAY - 1]]);
  expect(await exportVisits(SHOP)).toEqual([]);
  expect(await readArchive(SHOP)).toEqual(archived);
});

it("keeps visits that can't be archived, logs the reason once per day, and reports the days", async () => {
  await storeDay(2);
  await storeDay(1);
  const exported = await exportVisits(SHOP);
  const lines: string[] = [];
  await writeFile(join(folder, 'file'), '');
  const service = await createService(lines, join(folder, 'file', 'archive'));
  for (let attempt = 0; attempt < 2; attempt += 1) expect(await deleteExpired(service)).toEqual([[], []]);
  expect(await exportVisits(SHOP)).toEqual(exported);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { visitors: 'unknown', err: { message: expect.stringContaining('ENOTDIR') } },
    { visitors: 'agents', err: { message: expect.stringContaining('ENOTDIR') } },
  ]);
  expect(await countUnarchived()).toBe(4);
  expect(await deleteExpired()).toEqual([
    [TODAY - 2, TODAY - 1],
    [TODAY - 2, TODAY - 1],
  ]);
  expect(await countUnarchived()).toBe(0);
  expect(await readArchive(SHOP)).toEqual(exported);
});

// It relies on PostgreSQL's locks or tables.
onlyInPostgres(() => {
  it('keeps a partition that a query is using, and writes the same files when it retries', async () => {
    await storeDay(1);
    const exported = await exportVisits(SHOP);
    const reader = createDataSource({ url: database.url, poolSize: 1 });
    await reader.initialize();
    const runner = reader.createQueryRunner();
    await runner.startTransaction();
    await runner.query('SELECT count(*) FROM visits_full');
    expect(await deleteExpired()).toEqual([[], []]);
    const files = await readFiles();
    await runner.rollbackTransaction();
    await runner.release();
    await reader.destroy();
    expect((await deleteExpired()).flat()).toHaveLength(2);
    expect(await readFiles()).toEqual(files);
    expect(await readArchive(SHOP)).toEqual(exported);
  }, 30_000);
});

it('adds late visits to an archived day', async () => {
  await storeDay(1);
  const first = await exportVisits(SHOP);
  await deleteExpired();
  await storeVisits(database.dataSource, SHOP, NOW - DAY_MS, [
    { at: new Date(NOW - DAY_MS).toISOString(), path: '/late' },
  ]);
  const late = await exportVisits(SHOP);
  await deleteExpired();
  expect((await readArchive(SHOP)).toSorted()).toEqual([...first, ...late].toSorted());
  expect(Object.keys(await readFiles())).toHaveLength(6);
});

it("doesn't archive empty days or the visits of removed projects", async () => {
  await (await getPartitions()).ensure([TODAY - 3]);
  await storeDay(1);
  await query('INSERT INTO removed_projects (project_id) VALUES ($1)', [SHOP]);
  for (const days of await deleteExpired()) expect(days).toContain(TODAY - 1);
  expect(await readArchive(SHOP)).toEqual([]);
  const archived: string[][] = [];
  for await (const { projects } of archive.list()) archived.push(projects.map(({ project_id }) => project_id));
  expect(archived).toEqual([[BLOG], [BLOG]]);
});

// It relies on PostgreSQL's locks or tables.
onlyInPostgres(() => {
  it("doesn't drop a partition whose visits change while they are being archived", async () => {
    await storeDay(1);
    const partitions = new PartitionsRepository(database.dataSource);
    const failures: string[] = [];
    const dropped = await new ExpiredPartitionsRepository(database.dataSource, partitions).archiveBefore(
      'agents',
      TODAY,
      {
        save: async () => void (await query(`UPDATE visits SET result = 'verification_failed'`)),
        onFailure: (_day, error) => failures.push((error as Error).message),
        signal,
      },
    );
    expect([dropped, failures]).toEqual([[], [expect.stringContaining('were changed')]]);
    expect(await countPartitions()).toBe(2);
  });
});

it('lets only one process archive at a time', async () => {
  await storeDay(1);
  const repository = await getExpired();
  const options = { onFailure: () => undefined, signal };
  const dropped = await repository.archiveBefore('agents', TODAY, {
    ...options,
    save: async () => {
      expect(await repository.archiveBefore('unknown', TODAY, { ...options, save: async () => undefined })).toEqual([]);
    },
  });
  expect(dropped).toEqual([TODAY - 1]);
});

it("doesn't drop a partition if it lost the lock while archiving", async () => {
  await storeDay(1);
  const repository = await getExpired();
  const failures: unknown[] = [];
  const options = { onFailure: (_day: number, error: unknown) => failures.push(error), signal };
  const dropped = await repository.archiveBefore('agents', TODAY, {
    ...options,
    save: async ({ checkLock }) => {
      await query(`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND database = (
        SELECT oid FROM pg_database WHERE datname = current_database())`);
      await expect(checkLock()).rejects.toThrow();
    },
  });
  expect([dropped, failures]).toEqual([[], [expect.anything()]]);
  expect(await countPartitions()).toBe(2);
});

describe('without ARCHIVE_URL', () => {
  const createUnset = (lines?: string[]) => createService(lines, '');

  it('deletes expired visits', async () => {
    await storeDay(1);
    expect((await deleteExpired(await createUnset())).flat()).toHaveLength(2);
  });

  it("doesn't drop partitions while another process is archiving", async () => {
    await storeDay(1);
    await (
      await getExpired()
    ).archiveBefore('agents', TODAY, {
      save: async () => {
        expect(await deleteExpired(await createUnset())).toEqual([[], []]);
        throw new Error('the storage is down');
      },
      onFailure: () => undefined,
      signal,
    });
    expect(await countPartitions()).toBe(2);
  });

  it('keeps visits and logs the reason once another process uses an archive, until it is turned off', async () => {
    await storeDay(2);
    await deleteExpired();
    await storeDay(1);
    const exported = await exportVisits(SHOP);
    const lines: string[] = [];
    const service = await createUnset(lines);
    for (let attempt = 0; attempt < 2; attempt += 1) expect(await deleteExpired(service)).toEqual([[], []]);
    expect(await exportVisits(SHOP)).toEqual(exported);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { visitors: 'unknown', err: { message: expect.stringContaining('Set ARCHIVE_URL for all of them') } },
      { visitors: 'agents' },
    ]);
    expect(await countUnarchived()).toBe(2);
    expect((await deleteExpired(await createService([], 'off'))).flat()).toHaveLength(2);
    await storeDay(3);
    expect((await deleteExpired(service)).flat()).toHaveLength(2);
    expect(await countUnarchived()).toBe(0);
  });
});

// It relies on PostgreSQL's locks or tables.
onlyInPostgres(() => {
  it("doesn't cause deadlocks for statements that wait for the drop", async () => {
    await storeDay(1);
    const partitions = new PartitionsRepository(database.dataSource);
    const blocker = database.dataSource.createQueryRunner();
    const failures: string[] = [];
    let writer: Promise<unknown> | undefined;
    const dropped = await new ExpiredPartitionsRepository(database.dataSource, partitions).archiveBefore(
      'agents',
      TODAY,
      {
        save: async () => {
          // The check before the drop waits for this lock.
          await blocker.startTransaction();
          await blocker.query('LOCK TABLE removed_projects');
          const start = async (): Promise<void> => {
            await untilBlocked('removed_projects');
            writer = query(`UPDATE visits SET result = 'verification_failed' WHERE project_id = $1`, [SHOP]);
            await untilBlocked('visits_%');
            await blocker.rollbackTransaction();
          };
          void start();
        },
        onFailure: (_day, error) => failures.push((error as Error).message),
        signal,
      },
    );
    await blocker.release();
    await expect(writer).resolves.toBeDefined();
    expect([dropped, failures]).toEqual([[], [expect.stringContaining('were changed')]]);
  });
});

// It relies on PostgreSQL's locks or tables.
onlyInPostgres(() => {
  it('keeps the forms of visits that are still stored', async () => {
    await storeDay(3);
    await new VisitFormsRepository(database.dataSource).deleteBefore(
      Math.min(TODAY, await new PartitionsRepository(database.dataSource).findOldest()),
    );
    expect(await exportVisits(SHOP)).toHaveLength(24);
  });
});
