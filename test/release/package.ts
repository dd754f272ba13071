/**
 * Packs what production needs, installs it in an empty folder, and starts it there by `npx agent-traffic start`.
 *
 *   node test/release/package.ts
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const MAX_MEGABYTES = 250;
const START_TIMEOUT_MS = 60_000;

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'agent-traffic-package-'));
try {
  // The embedded PostgreSQL runs as another user than root.
  await chmod(folder, 0o711);
  await run('npm', ['pack', '--pack-destination', folder], { cwd: ROOT, maxBuffer: 2 ** 26 });
  const [file] = await readdir(folder);
  await run('npm', ['install', '--omit=dev', '--no-audit', '--no-fund', `./${file}`], { cwd: folder });
  const { stdout } = await run('du', ['-sm', 'node_modules'], { cwd: folder });
  const megabytes = Number(/^\d+/.exec(stdout)![0]);
  process.stdout.write(`installed: ${megabytes} MB\n`);
  if (megabytes > MAX_MEGABYTES)
    throw new Error(`the package takes ${megabytes} MB; at most ${MAX_MEGABYTES} are wanted`);
  await tryStart();
  process.stdout.write('starts, identifies and ends\n');
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function tryStart(): Promise<void> {
  // What npx runs; it would not pass the exit code on.
  const command = join(folder, 'node_modules/.bin/agent-traffic');
  const child = spawn(command, ['start'], { cwd: folder, env: { ...process.env, PORT: '0' } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
  try {
    const timeout = AbortSignal.timeout(START_TIMEOUT_MS);
    while (!/^ *curl /m.test(output)) await once(child.stdout, 'data', { signal: timeout });
    const { stdout } = await run('bash', ['-c', /^ *(curl .+)$/m.exec(output)![1]!]);
    if (!stdout.includes('204')) throw new Error(`the printed line was answered with ${stdout}`);
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`it ended with ${code}`);
  } catch (error) {
    throw new Error(`it does not start or end as it should:\n${output}`, { cause: error });
  } finally {
    child.kill('SIGKILL');
  }
}
