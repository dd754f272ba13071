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
import { startOnce } from './start-once.ts';

const ROOT = join(import.meta.dirname, '../..');
const MAX_MEGABYTES = 230;

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'agent-traffic-package-'));
try {
  // Embedded PostgreSQL never runs as root, so its user must be able to enter the folder.
  await chmod(folder, 0o711);
  await run('npm', ['pack', '--pack-destination', folder], { cwd: ROOT, maxBuffer: 2 ** 26 });
  const [file] = await readdir(folder);
  await run('npm', ['install', '--omit=dev', '--no-audit', '--no-fund', `./${file}`], { cwd: folder });
  const { stdout } = await run('du', ['-sm', 'node_modules'], { cwd: folder });
  const megabytes = Number(/^\d+/.exec(stdout)![0]);
  process.stdout.write(`installed: ${megabytes} MB\n`);
  if (megabytes > MAX_MEGABYTES)
    throw new Error(`the package takes ${megabytes} MB; at most ${MAX_MEGABYTES} are wanted`);
  // Same as `npx agent-traffic start`, but npx doesn't pass on the exit code.
  await startOnce([join(folder, 'node_modules/.bin/agent-traffic'), 'start'], folder);
  process.stdout.write('starts, identifies and ends\n');
} finally {
  await rm(folder, { recursive: true, force: true });
}
