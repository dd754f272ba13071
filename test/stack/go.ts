/** Commands and files of Go modules, from the Go module proxy, once for each machine and version. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findCommand } from './packages.ts';
import { pythonWith } from './python.ts';

const run = promisify(execFile);
const HERE = import.meta.dirname;
const CACHE = join(homedir(), '.cache/agent-traffic-stack');

/** The command `go`: the machine's own, or the one of a package for Python. Debian's is too old. */
async function findGo(): Promise<string> {
  const own = await findCommand('go');
  if (own !== null) return own;
  const python = await pythonWith(join(HERE, 'go-requirements.txt'));
  return join(python, '../go');
}

/** Runs `go`, without asking for another version of itself. @returns what it prints. */
async function go(args: string[], cwd: string): Promise<string> {
  const env = { ...process.env, GOFLAGS: '-buildvcs=false -mod=readonly' };
  const { stdout } = await run(await findGo(), args, { cwd, env, maxBuffer: 2 ** 26 });
  return stdout;
}

/** @returns a folder in the cache that `make` fills once; its name follows from `identity`. */
export async function cached(name: string, identity: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(CACHE, `${name}-${createHash('sha256').update(identity).digest('hex').slice(0, 16)}`);
  if (await isThere(folder)) return folder;
  await mkdir(CACHE, { recursive: true });
  const work = await mkdtemp(join(CACHE, 'fetching-'));
  await make(work);
  // Whole or not at all; another process may have been faster.
  await rename(work, folder).catch(async (error: unknown) => {
    await rm(work, { recursive: true, force: true });
    if (!(await isThere(folder))) throw error;
  });
  return folder;
}

/** @returns the folder of a Go module's files. @param module with its version: `k8s.io/kubernetes@v1.36.2`. */
export async function moduleFolder(module: string): Promise<string> {
  const answer = await go(['mod', 'download', '-json', module], HERE);
  return (JSON.parse(answer) as { Dir: string }).Dir;
}

/**
 * Builds commands of Go modules.
 *
 * @param source folder with the go.mod, go.sum and tools.go that name their versions.
 * @param commands the package of each command, by its name.
 * @returns the folder with the commands.
 */
export async function goTools(source: string, commands: Record<string, string>): Promise<string> {
  const files = ['go.mod', 'go.sum', 'tools.go'];
  const contents = await Promise.all(files.map((name) => readFile(join(source, name), 'utf8')));
  return cached(`go-${Object.keys(commands).join('-')}`, contents.join('\0'), async (folder) => {
    for (const [name, command] of Object.entries(commands)) {
      await go(['build', '-ldflags', '-s -w', '-o', join(folder, name), command], source);
    }
  });
}

/** Builds a command of a Go module from the versions that the module itself names. @returns the command's path. @param module with its version. */
export async function moduleCommand(module: string, name: string, source: string): Promise<string> {
  const built = await cached(`go-${name}`, module, async (folder) => {
    await go(['build', '-ldflags', '-s -w', '-o', join(folder, name), source], await moduleFolder(module));
  });
  return join(built, name);
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
