/**
 * Installs Debian packages that a test or the stack requires. Only root can install them. Other users get an error with
 * the command to run.
 */
import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const SYSTEM_PATH = ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/bin', '/sbin'];

/**
 * Installs the packages of missing commands.
 *
 * @param packages Package names by command.
 * @throws {Error} with the command to run if the packages can't be installed
 */
export async function ensureCommands(packages: Record<string, string>): Promise<void> {
  const missing: string[] = [];
  for (const [command, name] of Object.entries(packages)) {
    if ((await findCommand(command)) === null) missing.push(name);
  }
  if (missing.length > 0) await installPackages(missing);
}

export async function installPackages(missing: string[]): Promise<void> {
  const install = `apt-get install -y ${missing.join(' ')}`;
  if (process.geteuid?.() !== 0) throw new Error(`Some packages are missing. Run this as root: ${install}`);
  // Pretend to be in runlevel 1. Otherwise, Debian starts a server when its package is installed.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  // Use a lock, because tests may install packages at the same time, and apt-get fails if another one is running.
  const options = ['/run/lock/agent-traffic-apt', 'apt-get', '-qq', '-o', 'Acquire::Retries=5'];
  const aptGet = (...args: string[]) => run('flock', [...options, ...args], { env });
  await aptGet('update');
  await aptGet('install', '-y', '--no-install-recommends', ...missing);
}

export async function findCommand(command: string): Promise<string | null> {
  for (const folder of [...(process.env['PATH'] ?? '').split(delimiter), ...SYSTEM_PATH]) {
    const path = join(folder, command);
    if (await exists(path)) return path;
  }
  return null;
}

export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
