import { jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import {
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  readlink,
  rm,
  truncate,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ArchivedVisit, ExpiredPartition } from '#libs/visit-store';
import { archivedVisit, BLOG, DAY, expiredPartition, SHOP } from '../../../test/kit/archived-visits.js';
import { Archive, type ArchivedDay, type Erasure, type ListOptions } from './archive.js';
import type { ArchiveStorage } from './archive-storage.js';
import { FolderStorage } from './folder-storage.js';
import { UnreadableArchiveError } from './manifest.js';

const { signal } = new AbortController();
const locked = { signal, checkLock: async () => {} };

let folder: string;
let archive: Archive;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-'));
  archive = new Archive(new FolderStorage(folder));
});
afterEach(() => rm(folder, { recursive: true }));

async function readAll(from = archive): Promise<ArchivedVisit[]> {
  const visits: ArchivedVisit[] = [];
  for await (const { day, projects } of from.list())
    for (const project of projects) for await (const page of from.readProject(day, project)) visits.push(...page);
  return visits;
}

async function listDays(range?: ListOptions): Promise<ArchivedDay[]> {
  const days: ArchivedDay[] = [];
  for await (const day of archive.list(range)) days.push(day);
  return days;
}

async function readFiles(root = folder): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(
    await Promise.all(
      files.toSorted().map(async (file) => [file.slice(root.length), (await readFile(file)).toString('base64')]),
    ),
  );
}

/** Storage that fails after a number of operations. A failed write leaves an unfinished file behind. */
class FailingStorage implements ArchiveStorage {
  constructor(
    private readonly storage: ArchiveStorage,
    private remaining: number,
  ) {}

  check = () => this.storage.check();
  list = (prefix: string) => this.run(() => this.storage.list(prefix));
  read = (key: string) => this.run(() => this.storage.read(key));
  delete = (key: string) => this.run(() => this.storage.delete(key));
  write = async (key: string, content: Uint8Array): Promise<void> => {
    if (this.remaining === 0) await writeFile(join(folder, 'file.unfinished'), 'x');
    await this.run(() => this.storage.write(key, content));
  };

  private async run<T>(operation: () => Promise<T>): Promise<T> {
    if (this.remaining === 0) throw new Error('the storage is down');
    this.remaining -= 1;
    return operation();
  }
}

const visits = Array.from({ length: 20 }, (_, index) => archivedVisit(index, index % 5 === 0 ? BLOG : SHOP));

it('returns exactly the visits that were saved', async () => {
  await archive.save(expiredPartition('a', ...visits), signal);
  const sorted = visits.toSorted((one, other) => (one.project_id < other.project_id ? -1 : 1));
  expect(await readAll()).toEqual(sorted);
  const [day] = await listDays();
  expect(day).toMatchObject({ day: DAY, visitors: 'agents', visits: 20, projects: [{ visits: 16 }, { visits: 4 }] });
});

it('writes the same files when retried after any storage operation fails', async () => {
  const early = expiredPartition('a', ...visits.slice(0, 9));
  const late = expiredPartition('b', ...visits.slice(6));
  const attempt = async (target: ExpiredPartition, operations: number): Promise<boolean> => {
    const failing = new Archive(new FailingStorage(new FolderStorage(folder), operations));
    return failing.save(target, signal).then(
      () => true,
      () => false,
    );
  };
  for (const [target, before, after] of [
    [early, 0, 9],
    [late, 9, 20],
  ] as const) {
    let operations = 0;
    for (; !(await attempt(target, operations)); operations += 1) {
      const found = await readAll();
      expect([before, after]).toContain(found.length);
    }
    expect(operations).toBeGreaterThan(3);
    expect(await readAll()).toHaveLength(after);
  }
  const reference = await mkdtemp(join(tmpdir(), 'archive-'));
  const other = new Archive(new FolderStorage(reference));
  await other.save(early, signal);
  await other.save(late, signal);
  await rm(join(folder, 'file.unfinished'));
  expect(await readFiles()).toEqual(await readFiles(reference));
  await rm(reference, { recursive: true });
});

it('retains archived visits, and prefers the newer version of a visit', async () => {
  await archive.save(expiredPartition('a', ...[0, 1, 3, 5, 6].map((index) => archivedVisit(index))), signal);
  await archive.save(expiredPartition('b', archivedVisit(1, SHOP, '/new'), archivedVisit(2), archivedVisit(7)), signal);
  expect((await readAll()).map(({ path }) => path)).toEqual(['/0', '/new', '/2', '/3', '/5', '/6', '/7']);
  expect(Object.keys(await readFiles())).toHaveLength(2);
});

it("doesn't rewrite the files of unchanged projects", async () => {
  await archive.save(expiredPartition('a', ...visits), signal);
  const unread = expiredPartition('a', ...visits);
  await archive.save(
    {
      ...unread,
      read: () => {
        throw new Error('unchanged visits were read again');
      },
    },
    signal,
  );
  expect(await readAll()).toHaveLength(20);
});

it('splits large days into several files', async () => {
  // Base64 can be compressed by a quarter.
  const createDocument = () =>
    JSON.stringify({ visit: { padding: randomBytes(2 ** 20).toString('base64') }, identification: {} });
  const large = Array.from({ length: 20 }, (_, index) => ({ ...archivedVisit(index), document: createDocument() }));
  await archive.save(expiredPartition('a', ...large), signal);
  const [day] = await listDays();
  expect(day!.projects[0]!.files.map((file) => [file.name, file.visits])).toEqual([
    [`project=${SHOP}/agents-a-0001.parquet`, 18],
    [`project=${SHOP}/agents-a-0002.parquet`, 2],
  ]);
});

it.each([
  ['is missing', (file: string) => rm(file)],
  ['is incomplete', (file: string) => truncate(file, 10)],
])('writes a file of an unchanged project again if it %s', async (_problem, damage) => {
  await archive.save(expiredPartition('a', ...visits), signal);
  const files = await readFiles();
  await damage(
    join(
      folder,
      Object.keys(files).find((name) => name.endsWith('.parquet'))!,
    ),
  );
  await archive.save(expiredPartition('a', ...visits), signal);
  expect(await readFiles()).toEqual(files);
});

it('fails if the partition contains fewer visits than listed', async () => {
  const partition = expiredPartition('a', ...visits);
  const projects = partition.projects.map((project) => ({ ...project, visits: project.visits + 1 }));
  await expect(archive.save({ ...partition, projects }, signal)).rejects.toThrow('Read 4 visits instead of 5');
  expect(await readAll()).toEqual([]);
});

describe('a manifest that was changed', () => {
  const file = () => join(folder, `day=${DAY}/agents.json`);

  it.each<[string, object, object?, object?]>([
    ['day', { day: '../../victim' }],
    ['visitors', { visitors: 'unknown' }],
    ['visits', { visits: -1 }],
    ['projects', { projects: {} }],
    ['project_id', {}, { project_id: '../../../victim/x' }],
    ['digest', {}, { digest: '../../../victim/x' }],
    ['file name', {}, {}, { name: '../../victim/agents-x' }],
    ['bytes', {}, {}, { bytes: '1' }],
    ['sha256', {}, {}, { sha256: null }],
  ])('is rejected because of its %s', async (_part, manifest, project = {}, archived = {}) => {
    await archive.save(expiredPartition('a', ...visits), signal);
    const [day] = await listDays();
    const content = JSON.parse(await readFile(file(), 'utf8')) as { projects: { files: object[] }[] };
    Object.assign(content.projects[0]!.files[0]!, archived);
    Object.assign(content.projects[0]!, project);
    await writeFile(file(), JSON.stringify({ ...content, ...manifest }));
    const files = await readFiles();
    await expect(listDays()).rejects.toThrow(UnreadableArchiveError);
    const erasure = { projectId: null, matches: () => true };
    await expect(archive.erase(day!, erasure, locked)).rejects.toThrow('is damaged');
    await expect(archive.save(expiredPartition('b', ...visits), signal)).rejects.toThrow('is damaged');
    expect(await readFiles()).toEqual(files);
  });
});

it('writes nothing if the signal is aborted', async () => {
  await expect(archive.save(expiredPartition('a', ...visits), AbortSignal.abort())).rejects.toThrow('aborted');
  expect(await readAll()).toEqual([]);
});

it("fails if another process has started to change the archive, and leaves that process's files unchanged", async () => {
  let checks = 0;
  const other = new Archive(new FolderStorage(folder));
  const lost: ExpiredPartition = {
    ...expiredPartition('a', ...visits),
    checkLock: async () => {
      checks += 1;
      if (checks > 1) return;
      await other.save(expiredPartition('b', ...visits.slice(5)), signal);
      throw new Error('the lock was lost');
    },
  };
  await expect(archive.save(lost, signal)).rejects.toThrow('the lock was lost');
  expect(await readAll()).toHaveLength(15);
});

it.each(['parquet', 'json'])(
  'fails if another process deletes or replaces %s files while they are being saved',
  async (type) => {
    await archive.save(expiredPartition('a', ...visits.slice(0, 10)), signal);
    const manifest = await readFile(join(folder, `day=${DAY}/agents.json`));
    const storage = new FolderStorage(folder);
    const partition = expiredPartition('b', ...visits);
    let checks = 0;
    partition.checkLock = async () => {
      checks += 1;
      if (checks === 2 && type === 'json') await storage.write(`day=${DAY}/agents.json`, manifest);
      const key = [...(await storage.list('')).keys()].find((name) => name.includes('/agents-b-'));
      if (checks === 2 && type === 'parquet') await storage.delete(key!);
    };
    await expect(archive.save(partition, signal)).rejects.toThrow(type === 'json' ? 'was replaced' : 'is missing');
  },
);

it('lists the other days if a manifest is damaged, and reads only manifests in the range', async () => {
  await archive.save(expiredPartition('a', ...visits), signal);
  await archive.save({ ...expiredPartition('a', ...visits), visitors: 'unknown' }, signal);
  await mkdir(join(folder, 'day=2026-11-20'));
  await writeFile(join(folder, 'day=2026-11-20/agents.json'), '{');
  const errors: string[] = [];
  const list = async (range: ListOptions) => (await listDays(range)).map(({ day, visitors }) => `${day} ${visitors}`);
  const days = [`${DAY} agents`, `${DAY} unknown`];
  expect(await list({ onUnreadable: ({ message }) => errors.push(message) })).toEqual(days);
  expect(errors).toEqual([expect.stringContaining('day=2026-11-20/agents.json is damaged')]);
  await expect(list({ to: DAY })).rejects.toThrow('is damaged');
  expect(await list({ from: DAY })).toEqual(days);
  expect(await list({ to: '2026-11-19' })).toEqual([]);
});

it('syncs the folders that it creates', async () => {
  const handle = await open(folder);
  const synced: string[] = [];
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  const spy = jest.spyOn(prototype, 'sync').mockImplementation(async function (this: FileHandle) {
    synced.push(await readlink(`/proc/self/fd/${this.fd}`));
  });
  const storage = new FolderStorage(join(folder, 'a/b'));
  await storage.check();
  expect(synced).toEqual([join(folder, 'a'), folder]);
  synced.length = 0;
  await storage.write('c/d', Buffer.from(''));
  expect(synced).toEqual(expect.arrayContaining([join(folder, 'a/b/c'), join(folder, 'a/b')]));
  await handle.close();
  spy.mockRestore();
});

it('rejects manifests from newer releases', async () => {
  await archive.save(expiredPartition('a', ...visits), signal);
  await writeFile(join(folder, `day=${DAY}/agents.json`), '{"schema_version": 2}');
  await expect(readAll()).rejects.toThrow('newer release');
});

describe('erase', () => {
  const isOdd = ({ path }: ArchivedVisit): boolean => Number(String(path).slice(1)) % 2 === 1;
  const erase = async (erasure: Erasure): Promise<number> => archive.erase((await listDays())[0]!, erasure, locked);
  const paths = async (): Promise<unknown[]> => (await readAll()).map(({ path }) => path);

  beforeEach(() => archive.save(expiredPartition('a', ...visits.slice(0, 8)), signal));

  it('erases a project', async () => {
    expect(await erase({ projectId: SHOP, matches: null })).toBe(6);
    expect(await paths()).toEqual(['/0', '/5']);
    expect(Object.keys(await readFiles())).toHaveLength(2);
    expect(await erase({ projectId: SHOP, matches: null })).toBe(0);
  });

  it('erases matching visits in one or all projects', async () => {
    expect(await erase({ projectId: SHOP, matches: isOdd })).toBe(3);
    expect(await paths()).toEqual(['/2', '/4', '/6', '/0', '/5']);
    const files = await readFiles();
    expect(await erase({ projectId: SHOP, matches: isOdd })).toBe(0);
    expect(await readFiles()).toEqual(files);
    expect(await erase({ projectId: null, matches: isOdd })).toBe(1);
    expect(await paths()).toEqual(['/2', '/4', '/6', '/0']);
    expect(await erase({ projectId: null, matches: () => true })).toBe(4);
    expect(await paths()).toEqual([]);
    expect(Object.keys(await readFiles())).toHaveLength(1);
  });

  it.each([
    ['all matching visits', { projectId: null, matches: isOdd }],
    ['a project', { projectId: SHOP, matches: null }],
  ])('finishes an interrupted attempt to erase %s', async (_description, erasure) => {
    const complete = await mkdtemp(join(tmpdir(), 'archive-'));
    const reference = new Archive(new FolderStorage(complete));
    await reference.save(expiredPartition('a', ...visits.slice(0, 8)), signal);
    await reference.erase((await listDays())[0]!, erasure, locked);
    const storage = new FolderStorage(folder);
    storage.delete = async () => {
      throw new Error('the storage is down');
    };
    const [day] = await listDays();
    await expect(new Archive(storage).erase(day!, erasure, locked)).rejects.toThrow('is down');
    expect(await erase(erasure)).toBe(0);
    expect(await readFiles()).toEqual(await readFiles(complete));
    await rm(complete, { recursive: true });
  });

  it('deletes files that an interrupted attempt left behind', async () => {
    const files = await readFiles();
    const other = `day=2026-11-20/project=${SHOP}`;
    await mkdir(join(folder, other), { recursive: true });
    const leftBehind = [
      `day=${DAY}/project=${SHOP}/agents-b-0001.parquet.unfinished`,
      `day=${DAY}/agents.json.unfinished`,
      `${other}/unknown-a-0001.parquet`,
      'day=2026-11-20/unknown.attempt',
    ];
    for (const file of leftBehind) await writeFile(join(folder, file), '192.0.2.7');
    for (const day of await listDays()) await archive.erase(day, { projectId: SHOP, matches: isOdd }, locked);
    expect(Object.keys(await readFiles())).toHaveLength(Object.keys(files).length);
    expect(JSON.stringify(Object.keys(await readFiles()))).not.toMatch('unfinished');
    expect(JSON.stringify(Object.keys(await readFiles()))).not.toMatch('unknown');
  });

  it("keeps a day's files if its manifest is lost", async () => {
    const manifest = join(folder, `day=${DAY}/agents.json`);
    const content = await readFile(manifest);
    await rm(manifest);
    const files = await readFiles();
    const message = `day=${DAY}/agents.json is missing, but the day has files`;
    const day: ArchivedDay = { day: DAY, visitors: 'agents', projects: [] };
    await expect(archive.erase(day, { projectId: null, matches: isOdd }, locked)).rejects.toThrow(message);
    await expect(archive.save(expiredPartition('late', archivedVisit(30)), signal)).rejects.toThrow(message);
    await expect(listDays()).rejects.toThrow(message);
    expect(await readFiles()).toEqual(files);
    await writeFile(manifest, content);
    expect(await paths()).toHaveLength(8);
  });

  it('erases either all matching visits or none if the storage fails', async () => {
    const [day] = await listDays();
    let operations = 0;
    for (; ; operations += 1) {
      const failing = new Archive(new FailingStorage(new FolderStorage(folder), operations));
      const erased = await failing.erase(day!, { projectId: null, matches: isOdd }, locked).catch(() => null);
      const found = (await paths()).length;
      expect([8, 4]).toContain(found);
      if (erased !== null) break;
    }
    expect(operations).toBeGreaterThan(5);
    expect(await paths()).toEqual(['/2', '/4', '/6', '/0']);
  });
});

describe('verify', () => {
  const verify = async (): Promise<(string | null)[]> => {
    const problems = [];
    for await (const { day, projects } of archive.list())
      for (const file of projects.flatMap(({ files }) => files)) problems.push(await archive.verify(day, file));
    return problems;
  };

  it('detects missing, truncated and changed files', async () => {
    await archive.save(expiredPartition('a', ...visits), signal);
    expect(await verify()).toEqual([null, null]);
    const file = (project: string): string => join(folder, `day=${DAY}/project=${project}/agents-a-0001.parquet`);
    const content = await readFile(file(SHOP));
    content[content.length >> 1]! ^= 1;
    await writeFile(file(SHOP), content);
    await truncate(file(BLOG), 10);
    expect(await verify()).toEqual([expect.stringContaining('SHA-256'), expect.stringContaining('10 bytes')]);
    await expect(readAll()).rejects.toThrow('is damaged');
    await rm(file(SHOP));
    expect(await verify()).toEqual(['is missing', expect.anything()]);
    await expect(readAll()).rejects.toThrow('is missing');
  });
});
