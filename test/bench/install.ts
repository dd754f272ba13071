/**
 * Measures each installation step up to the first identified visit, both for a clone and for a package. Prints the
 * wall-clock time and the CPU time of all processes. Uses npm's cache if possible.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, stdout } from 'node:process';
import { startAndStop } from '../release/start-once.ts';
import { getExitedChildrenCpuTimeMs } from './processes.ts';

const ROOT = join(import.meta.dirname, '../..');
// Remove the settings and paths that `npm run` adds, so the environment matches a new user's.
for (const name of Object.keys(env)) if (name.startsWith('npm_')) delete env[name];
env['PATH'] = env['PATH']!.split(':')
  .filter((path) => !path.includes('node_modules'))
  .join(':');

const folder = await mkdtemp(join(tmpdir(), 'agent-traffic-install-'));
const [clone, packageFolder] = [join(folder, 'clone'), join(folder, 'installed')];
try {
  // If the installer is root, the embedded PostgreSQL runs as a different user, who must be able to enter the folder.
  await chmod(folder, 0o711);
  await mkdir(packageFolder);
  await measure('git clone', () => run(['git', 'clone', '--quiet', '--no-local', ROOT, clone], folder));
  await measure('npm ci', () => run(['npm', 'ci', '--silent'], clone));
  await measure('npm start and one visit', () => startAndStop(['npm', 'start'], clone));
  await run(['npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', packageFolder], clone);
  const [file] = await readdir(packageFolder);
  // The package requires Node.js 24, which `npm ci` installed in the clone.
  env['PATH'] = `${join(clone, 'node_modules/node/bin')}:${env['PATH']}`;
  await measure('npm install --omit=dev', () =>
    run(['npm', 'install', '--silent', '--omit=dev', `./${file}`], packageFolder),
  );
  const command = [join(packageFolder, 'node_modules/.bin/agent-traffic'), 'start'];
  await measure('npx agent-traffic start and one visit', () => startAndStop(command, packageFolder));
  await run(['du', '-sm', join(clone, 'node_modules'), join(packageFolder, 'node_modules')], folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/**
 * Prints the duration of a step.
 *
 * @param step May return its own duration in milliseconds, for example to exclude cleanup.
 */
async function measure(what: string, step: () => Promise<number | void>): Promise<void> {
  const [started, before] = [performance.now(), await getExitedChildrenCpuTimeMs()];
  const milliseconds = (await step()) ?? performance.now() - started;
  const seconds = [milliseconds, (await getExitedChildrenCpuTimeMs()) - before].map((time) =>
    (time / 1_000).toFixed(1).padStart(6),
  );
  stdout.write(`${what.padEnd(38)} ${seconds[0]} s, ${seconds[1]} s of CPU time\n`);
}

async function run([command, ...args]: readonly string[], cwd: string): Promise<void> {
  const [code] = (await once(spawn(command!, args, { cwd, stdio: 'inherit' }), 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} exited with ${code}`);
}
