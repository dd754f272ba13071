import { jest } from '@jest/globals';
import { chmod, mkdtemp, readdir, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSnapshotStore } from './snapshot-store.js';

const SNAPSHOT = { tag: '"1"', manifest: 'manifest', content: '{}' };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'snapshot-store-'));
  jest.spyOn(process.getBuiltinModule('node:os'), 'tmpdir').mockReturnValue(folder);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await rm(folder, { recursive: true });
});

it('stores a snapshot in a folder named after the user ID', async () => {
  const store = await createSnapshotStore('project');
  await store.write(SNAPSHOT);
  await store.write(SNAPSHOT);
  expect(await store.read()).toEqual(SNAPSHOT);
  expect(await readdir(folder)).toEqual([`agent-traffic-snapshots-${process.getuid!()}`]);
  expect(await readdir(join(folder, `agent-traffic-snapshots-${process.getuid!()}`))).toHaveLength(1);
});

it('uses neither a link nor a folder that others can access', async () => {
  const store = await createSnapshotStore('project');
  await store.write(SNAPSHOT);
  const [name] = await readdir(folder);
  const path = join(folder, name!);
  await chmod(path, 0o755);
  await expect(store.read()).rejects.toThrow('private');
  await expect(store.write(SNAPSHOT)).rejects.toThrow('private');
  await chmod(path, 0o700);
  await rename(path, `${path}-target`);
  await symlink(`${path}-target`, path);
  await expect(store.read()).rejects.toThrow('private');
  await expect(store.write(SNAPSHOT)).rejects.toThrow('private');
});
