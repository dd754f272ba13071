import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDataDirectory, processInfo } from '#libs/embedded-postgres';

const FILE = 'instance.json';
const CLAIM = 'instance.claim-';
const CLAIM_TIMEOUT_MS = 10_000;

/** Content of `DATA_DIR/instance.json`: the running instance. */
interface Instance {
  pid: number;
  /** Start of the process. Distinguishes it from a later process with the same ID, such as in a restarted container. */
  started: string;
  /** Undefined until the instance listens. */
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
  /** Publishes the URL of this instance, for example for the CLI. */
  publish(url: string): Promise<void>;
  release(): Promise<void>;
}

/**
 * Ensures that only this process uses the data, until it releases the lock or exits. Creates the folder if it's
 * missing.
 *
 * @throws AlreadyRunningError if another instance uses the data.
 */
export async function acquireInstanceLock(dataDirectory: string): Promise<InstanceLock> {
  const directory = resolve(dataDirectory);
  const file = join(directory, FILE);
  const self: Instance = { pid: process.pid, started: await startOf(process.pid) };
  const write = async (instance: Instance): Promise<void> => {
    await writeFile(`${file}.new`, `${JSON.stringify(instance)}\n`);
    await rename(`${file}.new`, file);
  };
  try {
    await createDataDirectory(directory);
    await claim(directory, self, async () => {
      const other = await readInstance(file);
      // If the process ID is ours, the file is from before a container restart.
      if (other && other.pid !== self.pid && (await isAlive(other))) throw new AlreadyRunningError(other);
      await write(self);
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(
      `The folder ${directory} can't be used (${message.split(',')[0]}). Make it writable, or set DATA_DIR to another one.`,
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
 * Runs `action` in one process at a time. A single lock file isn't enough: taking over the file of a dead process would
 * be a race.
 *
 * Instead, each process creates a claim with a unique name, then looks for others. Of two processes, at least the later
 * one sees the other's claim. A process only acts if no other living process has a claim. Claims of dead processes
 * don't count. Any process can delete them, because their names are never reused.
 */
async function claim(directory: string, self: Instance, action: () => Promise<void>): Promise<void> {
  const name = `${CLAIM}${self.pid}-${Buffer.from(self.started).toString('base64url')}-${randomBytes(4).toString('hex')}`;
  const path = join(directory, name);
  try {
    for (const deadline = Date.now() + CLAIM_TIMEOUT_MS; ; await sleep(5 + Math.random() * 20)) {
      await writeFile(path, '');
      const rivals = await livingRivals(directory, name);
      if (rivals.length === 0) return await action();
      if (Date.now() > deadline) throw new AlreadyRunningError({ pid: claimant(rivals[0]!).pid });
      // One side must back off.
      if (rivals.some((rival) => rival < name)) await rm(path);
    }
  } finally {
    await rm(path, { force: true });
  }
}

async function livingRivals(directory: string, own: string): Promise<string[]> {
  const rivals: string[] = [];
  for (const name of await readdir(directory)) {
    if (!name.startsWith(CLAIM) || name === own) continue;
    if (await isAlive(claimant(name))) rivals.push(name);
    else await rm(join(directory, name), { force: true });
  }
  return rivals;
}

function claimant(name: string): Instance {
  const [pid = '', ...rest] = name.slice(CLAIM.length).split('-');
  // The name ends with the random part. Base64url can contain dashes, too.
  return { pid: Number(pid), started: Buffer.from(rest.slice(0, -1).join('-'), 'base64url').toString() };
}

async function isAlive({ pid, started }: Instance): Promise<boolean> {
  const info = await processInfo(pid);
  return info === 'unknown' || (info !== undefined && info.started === started);
}

async function startOf(pid: number): Promise<string> {
  const info = await processInfo(pid);
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
