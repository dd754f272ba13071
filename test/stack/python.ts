/** Python environments, cached for each list of requirements. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureCommands, installPackages } from './packages.ts';

const run = promisify(execFile);
const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Returns the path of `python` in a virtual environment with the packages of a requirements.txt. */
export async function pythonWith(requirements: string): Promise<string> {
  await ensureCommands({ python3: 'python3' });
  const { stdout: version } = await run('python3', ['--version']);
  const identity = createHash('sha256')
    .update(version + (await readFile(requirements, 'utf8')))
    .digest('hex');
  const cache = join(homedir(), '.cache/agent-traffic-stack');
  const folder = join(cache, `python-${identity.slice(0, 16)}`);
  const python = join(folder, 'bin/python');
  if (await isThere(python)) return python;
  // Debian ships ensurepip in a separate package.
  await run('python3', ['-c', 'import ensurepip']).catch(() => installPackages(['python3-venv']));
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, 'fetching-'));
  await run('python3', ['-m', 'venv', work]);
  await run(join(work, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '-r', requirements]);
  // A rename is atomic. Another process may have created the folder in the meantime.
  await rename(work, folder).catch(async (error: unknown) => {
    await rm(work, { recursive: true, force: true });
    if (!(await isThere(python))) throw error;
  });
  return python;
}
