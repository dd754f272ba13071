/**
 * Measures the steps from nothing to the first identified visit, with a clone and with a package. Prints the wall-clock
 * time, and the CPU time of all processes. Packages come from npm's cache if it has them.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, stdout } from 'node:process';
import { startOnce } from '../release/start-once.ts';
import { endedChildrenTime } from './processes.ts';

const ROOT = join(import.meta.dirname, '../..');
// Removes the settings and paths that `npm run` adds, so that the environment is that of a new user.
for (const name of Object.keys(env)) if (name.startsWith('npm_')) delete env[name];
env['PATH'] = env['PATH']!.split(':')
  .filter((path) => !path.includes('node_modules'))
  .join(':');

const folder = await mkdtemp(join(tmpdir(), 'agent-traffic-install-'));
const [clone, installed] = [join(folder, 'clone'), join(folder, 'installed')];
try {
  // If this is root, the embedded PostgreSQL runs as another user, which needs access.
  await chmod(folder, 0o711);
  await mkdir(installed);
  await measure('git clone', () => run(['git', 'clone', '--quiet', '--no-local', ROOT, clone], folder));
  await measure('npm ci', () => run(['npm', 'ci', '--silent'], clone));
  await measure('npm start, and a visit', () => startOnce(['npm', 'start'], clone));
  await run(['npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', installed], clone);
  const [file] = await readdir(installed);
  // The package requires Node.js 24, which `npm ci` has installed in the clone.
  env['PATH'] = `${join(clone, 'node_modules/node/bin')}:${env['PATH']}`;
  await measure('npm install --omit=dev', () =>
    run(['npm', 'install', '--silent', '--omit=dev', `./${file}`], installed),
  );
  const command = [join(installed, 'node_modules/.bin/agent-traffic'), 'start'];
  await measure('npx agent-traffic start, and a visit', () => startOnce(command, installed));
  await run(['du', '-sm', join(clone, 'node_modules'), join(installed, 'node_modules')], folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Prints the duration of a step. @param step can return its own duration in milliseconds, for example without cleanup. */
async function measure(what: string, step: () => Promise<number | void>): Promise<void> {
  const [started, before] = [performance.now(), await endedChildrenTime()];
  const milliseconds = (await step()) ?? performance.now() - started;
  const seconds = [milliseconds, (await endedChildrenTime()) - before].map((time) =>
    (time / 1_000).toFixed(1).padStart(6),
  );
  stdout.write(`${what.padEnd(38)} ${seconds[0]} s, ${seconds[1]} s of the processor\n`);
}

async function run([command, ...args]: readonly string[], cwd: string): Promise<void> {
  const [code] = (await once(spawn(command!, args, { cwd, stdio: 'inherit' }), 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`);
}
