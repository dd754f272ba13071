import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDataDirectory, readProcessInfo } from '#libs/embedded-postgres';

const FILE = 'instance.json';
const CLAIM = 'instance.claim-';
const CLAIM_TIMEOUT_MS = 10_000;

/** Running instance, as stored in `DATA_DIR/instance.json`. */
interface Instance {
  pid: number;
  /** Start time of the process. Distinguishes it from a later process with the same ID, as after a container restart. */
  started: string;
  /** URL of the instance. Undefined until it accepts connections. */
  url?: string;
}

export class AlreadyRunningError extends Error {
  override readonly name = 'AlreadyRunningError';
  readonly pid: number;
  readonly url: string | undefined;

  constructor({ pid, url }: Pick<Instance, 'pid' | 'url'>) {
    super(
      `Agent Traffic is already running on this data (process ${pid}${url === undefined ? '' : `, ${url}`}). Stop it first, or set DATA_DIR to another folder.`,
    );
    this.pid = pid;
    this.url = url;
  }
}

interface InstanceLock {
  /** Publishes the instance's URL to other local processes, such as the CLI. */
  publish(url: string): Promise<void>;
  release(): Promise<void>;
}

/**
 * Ensures that no other process uses the data until the lock is released or this process exits. Creates the folder if
 * it doesn't exist.
 *
 * @throws {AlreadyRunningError} if another instance is using the data.
 */
export async function acquireInstanceLock(dataDirectory: string): Promise<InstanceLock> {
  const directory = resolve(dataDirectory);
  const file = join(directory, FILE);
  const self: Instance = { pid: process.pid, started: await startTime(process.pid) };
  const write = async (instance: Instance): Promise<void> => {
    await writeFile(`${file}.new`, `${JSON.stringify(instance)}\n`);
    await rename(`${file}.new`, file);
  };
  try {
    await createDataDirectory(directory);
    await claim(directory, self, async () => {
      const other = await readInstance(file);
      // If the stored process ID is our own, the file is left over from before a container restart. After a restart,
      // processes in containers get the same IDs again.
      if (other && other.pid !== self.pid && (await isAlive(other))) throw new AlreadyRunningError(other);
      await write(self);
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(
      `Cannot use the folder ${directory} (${message.split(',')[0]}). Make it writable, or set DATA_DIR to another folder.`,
      { cause: error },
    );
  }
  return {
    publish: (url) => write({ ...self, url }),
    release: async () => {
      const current = await readInstance(file);
      if (current?.pid === self.pid && current.started === self.started) await rm(file, { force: true });
    },
  };
}

/**
 * Runs `action` in at most one process at a time. A single lock file isn't enough, because processes would race to take
 * over the file of a dead process.
 *
 * Instead, each process creates a claim file with a unique name and then looks for other claims. Of two competing
 * processes, at least the later one sees the other's claim. A process only runs the action if no other live process has
 * a claim. Any process can delete a dead process's claim, because claim names are never reused.
 */
async function claim(directory: string, self: Instance, action: () => Promise<void>): Promise<void> {
  const name = `${CLAIM}${self.pid}-${Buffer.from(self.started).toString('base64url')}-${randomBytes(4).toString('hex')}`;
  const path = join(directory, name);
  try {
    for (const deadline = Date.now() + CLAIM_TIMEOUT_MS; ; await sleep(5 + Math.random() * 20)) {
      await writeFile(path, '');
      const rivals = await livingRivals(directory, name);
      if (rivals.length === 0) return await action();
      if (Date.now() > deadline) throw new AlreadyRunningError({ pid: parseClaim(rivals[0]!).pid });
      // If several processes start at the same time, the one whose claim sorts first keeps it. All others withdraw
      // theirs.
      if (rivals.some((rival) => rival < name)) await rm(path);
    }
  } finally {
    await rm(path, { force: true });
  }
}

async function livingRivals(directory: string, ownName: string): Promise<string[]> {
  const rivals: string[] = [];
  for (const name of await readdir(directory)) {
    if (!name.startsWith(CLAIM) || name === ownName) continue;
    if (await isAlive(parseClaim(name))) rivals.push(name);
    else await rm(join(directory, name), { force: true });
  }
  return rivals;
}

function parseClaim(name: string): Instance {
  const [pid = '', ...rest] = name.slice(CLAIM.length).split('-');
  // Drop the random suffix and rejoin the rest, because base64url can contain dashes.
  return { pid: Number(pid), started: Buffer.from(rest.slice(0, -1).join('-'), 'base64url').toString() };
}

async function isAlive({ pid, started }: Instance): Promise<boolean> {
  const info = await readProcessInfo(pid);
  return info === 'unknown' || (info !== undefined && info.started === started);
}

async function startTime(pid: number): Promise<string> {
  const info = await readProcessInfo(pid);
  return typeof info === 'object' ? info.started : '';
}

/** Returns undefined if the file is missing or invalid. */
async function readInstance(file: string): Promise<Instance | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return '';
  });
  try {
    const instance: Partial<Instance> | null = JSON.parse(text);
    if (!Number.isSafeInteger(instance?.pid) || instance!.pid! < 1) return undefined;
    return { ...instance, pid: instance!.pid!, started: String(instance!.started) };
  } catch {
    return undefined;
  }
}
