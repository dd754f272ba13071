/** Creates Python environments and caches them by their requirements. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureCommands, installPackages } from './packages.ts';

const run = promisify(execFile);
const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Returns the path of `python` in a virtual environment that contains the packages in a requirements.txt file. */
export async function ensurePython(requirements: string): Promise<string> {
  await ensureCommands({ python3: 'python3' });
  const { stdout: version } = await run('python3', ['--version']);
  const digest = createHash('sha256')
    .update(version + (await readFile(requirements, 'utf8')))
    .digest('hex');
  const cache = join(homedir(), '.cache/agent-traffic-stack');
  const folder = join(cache, `python-${digest.slice(0, 16)}`);
  const python = join(folder, 'bin/python');
  if (await exists(python)) return python;
  // Install ensurepip if it's missing, because Debian ships it in a separate package.
  await run('python3', ['-c', 'import ensurepip']).catch(() => installPackages(['python3-venv']));
  await mkdir(cache, { recursive: true });
  const workFolder = await mkdtemp(join(cache, 'fetching-'));
  await run('python3', ['-m', 'venv', workFolder]);
  await run(join(workFolder, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '-r', requirements]);
  // Renaming is atomic. It fails if another process has created the folder in the meantime.
  await rename(workFolder, folder).catch(async (error: unknown) => {
    await rm(workFolder, { recursive: true, force: true });
    if (!(await exists(python))) throw error;
  });
  return python;
}
