import { execFile, spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';
import { openArchive, type Archive } from '#libs/archive';
import { archivedVisit, BLOG, expiredPartition, SHOP } from '../kit/archived-visits.js';
import { temporaryFolder } from '../kit/run-folder.js';
import { ensurePython } from '../stack/python.js';
import { AGENT_COUNTS, createSampleArchive, readDocumentedQueries, SHOP_DOCUMENTS } from './documented-queries.js';

const run = promisify(execFile);
const { signal } = new AbortController();
const visits = Array.from({ length: 20 }, (_, index) => archivedVisit(index, index % 5 === 0 ? BLOG : SHOP));

let python: string;
beforeAll(async () => {
  python = await ensurePython(join(import.meta.dirname, 'requirements.txt'));
}, 300_000);

async function readAll(archive: Archive): Promise<unknown[]> {
  const read: unknown[] = [];
  for await (const { day, projects } of archive.list())
    for (const project of projects) for await (const page of archive.readProject(day, project)) read.push(...page);
  return read;
}

describe('an archive on S3', () => {
  let server: ChildProcessByStdio<Writable, Readable, null>;
  let settings: Record<
    'ARCHIVE_URL' | 'ARCHIVE_S3_ENDPOINT' | 'ARCHIVE_S3_ACCESS_KEY_ID' | 'ARCHIVE_S3_SECRET_ACCESS_KEY',
    string
  >;

  beforeAll(async () => {
    server = spawn(python, [join(import.meta.dirname, 's3_server.py')], { stdio: ['pipe', 'pipe', 'ignore'] });
    const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
    const { endpoint, id, secret } = JSON.parse(line) as Record<string, string>;
    settings = {
      ARCHIVE_URL: 's3://archive/agent traffic/visits',
      ARCHIVE_S3_ENDPOINT: endpoint!,
      ARCHIVE_S3_ACCESS_KEY_ID: id!,
      ARCHIVE_S3_SECRET_ACCESS_KEY: secret!,
    };
  }, 60_000);
  afterAll(async () => {
    server.stdin.end();
    await once(server, 'close');
  });

  it('saves, lists, reads, verifies and replaces files', async () => {
    const archive = openArchive(settings)!;
    await archive.check();
    expect(await readAll(archive)).toEqual([]);
    await archive.save(expiredPartition('a', ...visits.slice(0, 15)), signal);
    await archive.save(expiredPartition('b', ...visits.slice(10)), signal);
    expect(await readAll(archive)).toEqual(
      visits.toSorted((one, other) => (one.project_id < other.project_id ? -1 : 1)),
    );
    for await (const { day, projects } of archive.list()) {
      for (const file of projects.flatMap(({ files }) => files)) {
        expect(file.name).toContain('/agents-b-');
        expect(await archive.verify(day, file)).toBeNull();
      }
      expect(await archive.verify(day, { name: 'missing.parquet', visits: 1, bytes: 1, sha256: '' })).toBe(
        'is missing',
      );
    }
  });

  it.each([
    ['the secret is wrong', { ARCHIVE_S3_SECRET_ACCESS_KEY: 'wrong' }, 'SignatureDoesNotMatch'],
    ['the bucket belongs to someone else', { ARCHIVE_URL: 's3://other-bucket' }, 'AccessDenied'],
  ])('reports what to fix if %s', async (_problem, changed, code) => {
    const check = openArchive({ ...settings, ...changed })!.check();
    await expect(check).rejects.toMatchObject({ name: 'ConfigurationError', message: expect.stringContaining(code) });
  });

  it("doesn't blame the configuration if the server is down", async () => {
    const check = openArchive({ ...settings, ARCHIVE_S3_ENDPOINT: 'http://127.0.0.1:1' })!.check();
    await expect(check).rejects.not.toMatchObject({ name: 'ConfigurationError' });
  });
});

it('runs the documented queries in DuckDB', async () => {
  const folder = await temporaryFolder();
  await createSampleArchive(folder);
  const program = `
import duckdb, json, sys
for statement in sys.argv[1:]:
    print(json.dumps(duckdb.sql(statement).fetchall(), default=str))`;
  const { stdout } = await run(python, ['-c', program, ...(await readDocumentedQueries('DuckDB', folder))]);
  await rm(folder, { recursive: true });
  const [counts, documents] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown[][]);
  expect(counts).toEqual(AGENT_COUNTS);
  expect(documents!.map(([document]) => document).toSorted()).toEqual(SHOP_DOCUMENTS.toSorted());
});
