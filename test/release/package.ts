/**
 * Packs a release, installs it in an empty folder, and starts it there.
 *
 *   node test/release/package.ts
 */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startAndStop } from './start-once.ts';

const ROOT = join(import.meta.dirname, '../..');
const MAX_SIZE_MB = 230;

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'agent-traffic-package-'));
try {
  // Embedded PostgreSQL never runs as root, so its user must be able to enter the folder.
  await chmod(folder, 0o711);
  await run('npm', ['pack', '--pack-destination', folder], { cwd: ROOT, maxBuffer: 2 ** 26 });
  const [file] = await readdir(folder);
  await run('npm', ['install', '--omit=dev', '--no-audit', '--no-fund', `./${file}`], { cwd: folder });
  const { stdout } = await run('du', ['-sm', 'node_modules'], { cwd: folder });
  const sizeMb = Number(/^\d+/.exec(stdout)![0]);
  process.stdout.write(`Installed size: ${sizeMb} MB\n`);
  if (sizeMb > MAX_SIZE_MB)
    throw new Error(`The installed package takes ${sizeMb} MB, but the limit is ${MAX_SIZE_MB} MB.`);
  // Start the program directly, because `npx agent-traffic start` doesn't forward the exit code.
  await startAndStop([join(folder, 'node_modules/.bin/agent-traffic'), 'start'], folder);
  process.stdout.write('The package starts, accepts a visit and stops.\n');
} finally {
  await rm(folder, { recursive: true, force: true });
}
