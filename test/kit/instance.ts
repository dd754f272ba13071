import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { newDataDirectory } from './data-template.ts';
import { removeFolder, temporaryFolder } from './run-folder.ts';
import { startArgs } from './start-command.ts';

export { temporaryFolder };

const ROOT = join(import.meta.dirname, '../..');
/** Prevents requests to other machines. */
export const ALONE = { DNS_SERVERS: 'off', IP_LISTS_REFRESH_HOURS: '0' };
/** Shares Node's compile cache, so later processes start faster. */
export const KEEPS_COMPILED = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node') };
const START_TIMEOUT_MS = 90_000;

interface InstanceOptions {
  env?: Record<string, string>;
  /** Data of an earlier instance, or an empty folder for a first start. Default: a new folder. */
  dataDirectory?: string;
  /** Folder of another build of the repository. Started with the arguments of its own `npm start`. */
  root?: string;
}

/** Resources to dispose of after a failed test. Jest would wait for them forever. */
export const leftOvers = new Set<{ dispose(): Promise<void> }>();

/** The standalone app in a separate process, started like `npm start` does. */
export class Instance {
  /** Combined stdout and stderr so far. */
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

  /** Resolves once the instance accepts requests. */
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

  /** Kills the process, as in a crash. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** Stops gracefully. @returns the exit code. */
  async stop(): Promise<number | null> {
    return this.end('SIGTERM');
  }

  /** Starts an instance with the same data and port, so clients can reconnect. */
  async restart(): Promise<Instance> {
    const env = { ...this.options.env, PORT: new URL(this.url).port };
    return Instance.start({ ...this.options, env, dataDirectory: this.dataDirectory });
  }

  /** Stops the instance and removes its data. */
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
  /** Timeout in milliseconds, only meant to end hanging tests. Default: 60,000. No test needs less. */
  within?: number;
  /** Returns details to add to the error message. */
  explain?: () => string;
}

/** Polls until the predicate returns a truthy value, and returns that value. @throws Error on timeout. */
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

/** Waits between polls or between requests of a load. To wait for something to happen, use {@link until}. */
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
