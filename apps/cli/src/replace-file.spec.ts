import { execFileSync } from 'node:child_process';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readIfExists, replaceFile, writeAtomically } from './replace-file.js';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'replaced-'));
  file = join(folder, 'agents.map');
});
afterEach(() => rm(folder, { recursive: true }));

it('writes new and changed content without leaving other files behind', async () => {
  expect(await readIfExists(file)).toBeNull();
  expect(await replaceFile(file, Buffer.from('a'))).toBe('new');
  const { ino } = await stat(file);
  expect(await replaceFile(file, Buffer.from([0xff, 0x00]))).toBe('changed');
  expect(await readFile(file)).toEqual(Buffer.from([0xff, 0x00]));
  // The file was replaced rather than modified, so open handles still read the complete old content.
  expect((await stat(file)).ino).not.toBe(ino);
  expect(await readdir(folder)).toEqual(['agents.map']);
});

it('leaves a file with the same content untouched, including its modification time', async () => {
  await writeFile(file, 'a');
  await utimes(file, 1_000, 1_000);
  expect(await replaceFile(file, Buffer.from('a'))).toBe('unchanged');
  expect((await stat(file)).mtimeMs).toBe(1_000_000);
});

it('preserves the mode and symbolic links', async () => {
  await writeFile(file, 'a');
  await chmod(file, 0o640);
  const link = join(folder, 'link');
  await symlink('agents.map', link);
  expect(await replaceFile(link, Buffer.from('b'))).toBe('changed');
  expect((await stat(file)).mode & 0o777).toBe(0o640);
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  expect(await readFile(file, 'utf8')).toBe('b');
});

it('does not replace a broken symbolic link', async () => {
  const link = join(folder, 'link');
  await symlink('agents.map', link);
  await expect(replaceFile(link, Buffer.from('a'))).rejects.toMatchObject({ exitCode: 2 });
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
});

it('replaces only regular files', async () => {
  // A named pipe instead of a real device, which a faulty implementation would replace.
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  await expect(replaceFile(pipe, Buffer.from('a'))).rejects.toMatchObject({
    exitCode: 2,
    message: `Can't read ${pipe}: it is not a regular file`,
  });
  expect((await stat(pipe)).isFIFO()).toBe(true);
  await expect(replaceFile(folder, Buffer.from('a'))).rejects.toThrow('not a regular file');
});

it('leaves no files behind if it fails', async () => {
  await expect(replaceFile(join(folder, 'no', 'such'), Buffer.from('a'))).rejects.toMatchObject({ exitCode: 2 });
  await mkdir(join(folder, 'x'));
  // The temporary file's name is too long with its suffix.
  await expect(replaceFile(join(folder, 'a'.repeat(250)), Buffer.from('a'))).rejects.toThrow("Can't write");
  expect(await readdir(folder)).toEqual(['x']);
});

it.each([
  ['gone/backup.tar', "the folder {folder}/gone doesn't exist."],
  ['file/backup.tar', "{folder}/file isn't a folder."],
  ['full-folder', 'a folder has this name.'],
])("explains why %s cannot be written, but doesn't mention the temporary file", async (name, reason) => {
  await writeFile(join(folder, 'file'), '');
  await mkdir(join(folder, 'full-folder/inner'), { recursive: true });
  const path = join(folder, name);
  await expect(writeAtomically(path, (unfinished) => writeFile(unfinished, 'a'))).rejects.toMatchObject({
    message: `Can't write ${path}: ${reason.replace('{folder}', folder)}`,
    exitCode: 2,
  });
});
