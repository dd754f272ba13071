import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { newDataDirectory } from './data-template.ts';
import { removeFolder, temporaryFolder } from './run-folder.ts';
import { startArgs } from './start-command.ts';

export { temporaryFolder };

const ROOT = join(import.meta.dirname, '../..');
/** What lies outside of this machine is not asked. */
export const ALONE = { DNS_SERVERS: 'off', IP_LISTS_REFRESH_HOURS: '0' };
/** Node keeps what it compiled of a program for those that are started after it. */
export const KEEPS_COMPILED = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node') };
const START_TIMEOUT_MS = 90_000;

interface InstanceOptions {
  env?: Record<string, string>;
  /** Kept from an earlier instance, or empty for a first start; a new one with an empty database when absent. */
  dataDirectory?: string;
  /** Folder of another build of the repository, which is run by its own `npm start`. */
  root?: string;
}

/** What a failed test did not get to dispose of: jest waits for it for ever. */
export const leftOvers = new Set<{ dispose(): Promise<void> }>();

/** The standalone as its own process, the way `npm start` runs it. */
export class Instance {
  /** Everything it printed so far. */
  output = '';
  url = '';

  readonly child: ChildProcess;
  readonly dataDirectory: string;
  readonly options: InstanceOptions;

  private constructor(child: ChildProcess, dataDirectory: string, options: InstanceOptions) {
    this.child = child;
    this.dataDirectory = dataDirectory;
    this.options = options;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.output += chunk.toString();
      });
    }
  }

  /** Resolves once the instance serves. */
  static async start(options: InstanceOptions = {}): Promise<Instance> {
    const { root = ROOT } = options;
    const args = startArgs(root);
    if (!existsSync(join(root, 'dist/apps/standalone/src/main.js')))
      throw new Error('there is no build: run npm run build first');
    const isEmpty = root !== ROOT || options.env?.['DATABASE_URL'] !== undefined;
    const dataDirectory = options.dataDirectory ?? (await (isEmpty ? temporaryFolder() : newDataDirectory()));
    const node = root === ROOT ? process.execPath : join(root, 'node_modules/.bin/node');
    const child = spawn(node, args, {
      cwd: root,
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: dataDirectory,
        PORT: '0',
        LOG_LEVEL: 'warn',
        ...ALONE,
        ...KEEPS_COMPILED,
        ...options.env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const instance = new Instance(child, dataDirectory, options);
    leftOvers.add(instance);
    await instance.untilServing();
    return instance;
  }

  /** The way a crash or an impatient operator ends it. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** Stops gracefully. @returns the exit code. */
  async stop(): Promise<number | null> {
    return this.end('SIGTERM');
  }

  /** Starts again on the same data; at the same port, so that clients find it. */
  async restart(): Promise<Instance> {
    const env = { ...this.options.env, PORT: new URL(this.url).port };
    return Instance.start({ ...this.options, env, dataDirectory: this.dataDirectory });
  }

  /** Stops and removes the data. */
  async dispose(): Promise<void> {
    await this.stop();
    await removeFolder(this.dataDirectory);
  }

  private async end(signal: NodeJS.Signals): Promise<number | null> {
    leftOvers.delete(this);
    if (this.child.exitCode !== null || this.child.signalCode !== null) return this.child.exitCode;
    const exited = new Promise<number | null>((resolve) => this.child.once('exit', resolve));
    this.child.kill(signal);
    return exited;
  }

  private async untilServing(): Promise<void> {
    await until(
      () => {
        this.url = /running at (http:\S+)/.exec(this.output)?.[1] ?? '';
        if (this.url === '' && this.child.exitCode !== null) throw new Error(`it did not start:\n${this.output}`);
        return this.url !== '';
      },
      { what: 'the instance serves', within: START_TIMEOUT_MS, explain: () => this.output },
    );
  }
}

interface UntilOptions {
  what: string;
  /** Milliseconds; only ends what hangs, so no test needs less than the minute that there is without it. */
  within?: number;
  /** Adds to the failure's message. */
  explain?: () => string;
}

/** Looks again and again until the predicate holds; its truthy value is the answer. */
export async function until<T>(
  predicate: () => T | Promise<T>,
  { what, within = 60_000, explain }: UntilOptions,
): Promise<Exclude<T, false | null | undefined | 0 | ''>> {
  const deadline = Date.now() + within;
  for (;;) {
    const value = await predicate();
    if (value) return value as Exclude<T, false | null | undefined | 0 | ''>;
    if (Date.now() > deadline) throw new Error(`not within ${within} ms: ${what}\n${explain?.() ?? ''}`);
    await pause(20);
  }
}

/** Milliseconds between two looks, or of a load's rhythm; no test waits for a thing to happen with it. */
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
