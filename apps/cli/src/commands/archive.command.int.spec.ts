import { jest } from '@jest/globals';
import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openArchive } from '#libs/archive';
import { ExpiredPartitionsRepository, toDayNumber, withArchiveLock } from '#libs/visit-store';
import { testVisitStore } from '../../../../test/kit/clickhouse.js';
import { startTestDatabase, type TestDatabase } from '../../../../test/kit/database.js';
import { until } from '../../../../test/kit/instance.js';
import { temporaryFolder } from '../../../../test/kit/run-folder.js';
import { storeVisits } from '../../../../test/kit/stored-visits.js';
import { createRepository, readVisits } from '../../../../test/kit/visit-store.js';
import { run } from '../main.js';

const SHOP = '019a0000-0000-7000-8000-000000000001';
const DELETED = '019a0000-0000-7000-8000-000000000002';
const UNKNOWN = '019a0000-0000-7000-8000-000000000003';
const RECEIVED = Date.parse('2026-08-31T08:30:00Z');
const variables = { ...process.env };

let database: TestDatabase;
let folder: string;
let output: string;
let notes: string;

/** Archives visits from an existing and a deleted project. */
beforeAll(async () => {
  database = await startTestDatabase();
  folder = await temporaryFolder();
  await database.dataSource.query(`INSERT INTO projects (id, name) VALUES ($1, 'Shop')`, [SHOP]);
  const at = new Date(RECEIVED).toISOString();
  await storeVisits(database.dataSource, SHOP, RECEIVED, [
    { at, address: '192.0.2.7' },
    { at, agent: 'GPTBot' },
    { at, path: '/a' },
  ]);
  await storeVisits(database.dataSource, DELETED, RECEIVED, [{ at }]);
  const expired = await createRepository(database.dataSource, ExpiredPartitionsRepository);
  const { signal } = new AbortController();
  for (const visitors of ['unknown', 'agents'] as const) {
    await expired.archiveBefore(visitors, toDayNumber(RECEIVED) + 1, {
      save: (partition) => openArchive({ ARCHIVE_URL: folder })!.save(partition, signal),
      onFailure: (_day, error) => {
        throw error;
      },
      signal,
    });
  }
});
beforeEach(() => {
  Object.assign(process.env, { ARCHIVE_URL: folder, DATABASE_URL: database.url });
  const visitStore = testVisitStore(database.dataSource);
  if (visitStore !== null) {
    const { url, user, password, database: name } = visitStore;
    Object.assign(process.env, {
      CLICKHOUSE_URL: url,
      CLICKHOUSE_USER: user,
      CLICKHOUSE_PASSWORD: password,
      CLICKHOUSE_DATABASE: name,
    });
  }
  output = '';
  notes = '';
  jest.spyOn(console, 'log').mockImplementation((text: string) => void (output += `${text}\n`));
  jest.spyOn(console, 'error').mockImplementation((text: string) => void (notes += `${text}\n`));
});
afterEach(() => {
  jest.restoreAllMocks();
  process.env = { ...variables };
});
afterAll(async () => {
  await database.stop();
  await rm(folder, { recursive: true });
});

const archive = (...args: string[]): Promise<number> => run(['archive', ...args], '/');
const countVisits = async (): Promise<number> => (await readVisits(database.dataSource)).length;

it('lists archived days', async () => {
  expect(await archive('list')).toBe(0);
  expect(output.split('\n').map((line) => line.replaceAll(/ {2,}/g, '|'))).toEqual([
    'Day|Visitors|Projects|Visits|Size',
    '2026-08-31|agents|1|1|0.0 MB',
    '2026-08-31|unknown|2|3|0.0 MB',
    '',
  ]);
});

it('lists selected days as JSON', async () => {
  expect(await archive('list', '--json', '--project', DELETED)).toBe(0);
  expect(JSON.parse(output)).toEqual([
    { day: '2026-08-31', visitors: 'unknown', projects: [DELETED], visits: 1, bytes: expect.any(Number) },
  ]);
  output = '';
  expect(await archive('list', '--from', '2026-09-01')).toBe(0);
  expect(output).toBe('The archive contains no matching days.\n');
});

it('restores visits in existing projects, without duplicates', async () => {
  const range = ['--from', '2026-08-31', '--to', '2026-08-31'];
  expect(await archive('restore', ...range, '--keep-days', '7')).toBe(0);
  expect(output).toBe('Restored 3 visits. They will be deleted again in 7 days.\n');
  expect(notes).toContain(`Skipped project ${DELETED}, which no longer exists.`);
  expect(await countVisits()).toBe(3);
  const [{ days }] = await database.dataSource.query(
    'SELECT round(extract(epoch FROM kept_until - now()) / 86400)::int AS days FROM restored_days',
  );
  expect(days).toBe(7);
  expect(await archive('restore', ...range)).toBe(0);
  expect(output).toContain('Restored 0 visits.');
  expect(await countVisits()).toBe(3);
});

it.each([
  [['restore', '--from', '2026-08-31', '--to', '2026-02-30'], 2, 'It must be a day such as 2026-11-21.'],
  [['restore', '--from', '2026-08-31'], 2, '--to <day>'],
  [['restore', '--from', '2026-09-01', '--to', '2026-09-30'], 1, 'no matching visits from 2026-09-01 to 2026-09-30'],
])('rejects %j', async (args, code, message) => {
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((notes += String(text))));
  expect(await archive(...args)).toBe(code);
  expect(notes).toContain(message);
});

it('names the variable to set if no archive is configured', async () => {
  delete process.env['ARCHIVE_URL'];
  expect(await archive('list')).toBe(2);
  expect(notes).toContain('ARCHIVE_URL is not set.');
});

describe('erase', () => {
  it.each([
    [['--confirm', 'x'], 'Specify what to erase'],
    [['--address', 'x', '--confirm', 'x'], 'must be an IP address'],
    [['--address', '192.0.2.7'], 'Nothing was erased'],
  ])('rejects %j', async (args, message) => {
    expect(await archive('erase', ...args)).toBe(2);
    expect(notes).toContain(message);
  });

  it('rejects a project name', async () => {
    expect(await archive('erase', '--project', 'Shop', '--confirm', 'Shop')).toBe(2);
  });

  it('waits until ingest has finished archiving', async () => {
    let waiting: Promise<number> | undefined;
    await withArchiveLock(database.dataSource, async () => {
      waiting = archive('erase', '--project', UNKNOWN, '--confirm', UNKNOWN);
      await until(() => notes.includes('Waiting until it has finished'), { condition: 'the command waits' });
      expect(output).toBe('');
    });
    expect(await waiting).toBe(0);
    expect(output).toBe('Erased 0 visits from the archive.\n');
  });

  it('erases visits by address or project', async () => {
    const [unrelated, address] = ['192.0.2.70', '192.0.2.7'];
    await archive('erase', '--project', DELETED, '--confirm', DELETED);
    expect(output).toBe('Erased 1 visit from the archive.\n');
    await archive('erase', '--project', SHOP, '--address', unrelated, '--confirm', unrelated);
    expect(output).toContain('Erased 0 visits');
    output = '';
    expect(await archive('erase', '--project', SHOP, '--address', address, '--confirm', address)).toBe(0);
    expect(output).toBe('Erased 1 visit from the archive.\n');
    output = '';
    await archive('verify');
    expect(output).toBe('Verified 2 files with 2 visits.\n');
  });

  it('finishes an interrupted erasure of a project that is no longer listed', async () => {
    const list = async () => (await readdir(folder, { recursive: true })).toSorted();
    const files = await list();
    await writeFile(join(folder, `day=2026-08-31/project=${DELETED}/unknown-0-0001.parquet`), '192.0.2.7');
    expect(await archive('erase', '--project', DELETED, '--confirm', DELETED)).toBe(0);
    expect(output).toBe('Erased 0 visits from the archive.\n');
    expect(await list()).toEqual(files);
  });
});

it('exits with 1 if verification finds a damaged file', async () => {
  expect(await archive('verify')).toBe(0);
  expect(output).toBe('Verified 2 files with 2 visits.\n');
  const project = join(folder, `day=2026-08-31/project=${SHOP}`);
  const [agents] = (await readdir(project)).toSorted();
  await truncate(join(project, agents!), 100);
  expect(await archive('verify')).toBe(1);
  expect(notes).toContain(`day=2026-08-31/project=${SHOP}/${agents} has 100 bytes instead of`);
  expect(notes).toContain("1 of 2 files can't be used.");
  expect(await archive('restore', '--from', '2026-08-31', '--to', '2026-08-31')).toBe(1);
  expect(notes).toContain('is damaged');
});

it('processes the other days if a manifest is damaged, and exits with 1', async () => {
  const manifest = join(folder, 'day=2026-08-31/unknown.json');
  const content = await readFile(manifest);
  await writeFile(manifest, content.subarray(1));
  expect(await archive('list', '--json')).toBe(1);
  expect(JSON.parse(output)).toMatchObject([{ visitors: 'agents' }]);
  expect(notes).toContain('day=2026-08-31/unknown.json is damaged');
  expect(await archive('list', '--from', '2026-09-01')).toBe(0);
  output = '';
  expect(await archive('erase', '--address', '192.0.2.99', '--confirm', '192.0.2.99')).toBe(1);
  expect(output).toBe('Erased 0 visits from the archive.\n');
  await writeFile(manifest, content);
});
