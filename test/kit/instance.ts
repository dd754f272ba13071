import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createDataDirectory } from './data-template.ts';
import { removeFolder, temporaryFolder } from './run-folder.ts';
import { startArgs } from './start-command.ts';

export { temporaryFolder };

const ROOT = join(import.meta.dirname, '../..');
/** Disables requests to other machines. */
export const OFFLINE_ENV = { DNS_SERVERS: 'off', IP_LISTS_REFRESH_HOURS: '0' };
/** Reuses Node's compile cache, so later processes start faster. */
export const COMPILE_CACHE_ENV = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node') };
const START_TIMEOUT_MS = 90_000;

interface InstanceOptions {
  env?: Record<string, string>;
  /** Data directory of an earlier instance, or an empty folder for a first start. Default: a new directory. */
  dataDirectory?: string;
  /** Folder containing another build of the repository. It's started with the arguments of its own `npm start`. */
  root?: string;
}

/** Resources to dispose of after a failed test. Otherwise, Jest would never exit. */
export const disposables = new Set<{ dispose(): Promise<void> }>();

/** Standalone app in a separate process, started like with `npm start`. */
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
      throw new Error('No build found. Run npm run build first.');
    const isEmpty = root !== ROOT || options.env?.['DATABASE_URL'] !== undefined;
    const dataDirectory = options.dataDirectory ?? (await (isEmpty ? temporaryFolder() : createDataDirectory()));
    const node = root === ROOT ? process.execPath : join(root, 'node_modules/.bin/node');
    const child = spawn(node, args, {
      cwd: root,
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: dataDirectory,
        PORT: '0',
        LOG_LEVEL: 'warn',
        ...OFFLINE_ENV,
        ...COMPILE_CACHE_ENV,
        ...options.env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const instance = new Instance(child, dataDirectory, options);
    disposables.add(instance);
    await instance.waitUntilReady();
    return instance;
  }

  /** Kills the process to simulate a crash. */
  async kill(): Promise<void> {
    await this.signalAndWait('SIGKILL');
  }

  /**
   * Shuts down gracefully.
   *
   * @returns the exit code
   */
  async stop(): Promise<number | null> {
    return this.signalAndWait('SIGTERM');
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

  private async signalAndWait(signal: NodeJS.Signals): Promise<number | null> {
    disposables.delete(this);
    if (this.child.exitCode !== null || this.child.signalCode !== null) return this.child.exitCode;
    const exited = new Promise<number | null>((resolve) => this.child.once('exit', resolve));
    this.child.kill(signal);
    return exited;
  }

  private async waitUntilReady(): Promise<void> {
    await until(
      () => {
        this.url = /running at (http:\S+)/.exec(this.output)?.[1] ?? '';
        if (this.url === '' && this.child.exitCode !== null)
          throw new Error(`The instance did not start:\n${this.output}`);
        return this.url !== '';
      },
      { condition: 'the instance accepts requests', timeoutMs: START_TIMEOUT_MS, explain: () => this.output },
    );
  }
}

interface UntilOptions {
  condition: string;
  /**
   * Timeout in milliseconds, which only exists to end tests that hang. Default: 60,000. Tests never need a shorter one.
   */
  timeoutMs?: number;
  /** Returns details to append to the error message. */
  explain?: () => string;
}

/**
 * Polls until the predicate returns a truthy value, and returns that value.
 *
 * @throws {Error} on timeout
 */
export async function until<T>(
  predicate: () => T | Promise<T>,
  { condition, timeoutMs = 120_000, explain }: UntilOptions,
): Promise<Exclude<T, false | null | undefined | 0 | ''>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await predicate();
    if (value) return value as Exclude<T, false | null | undefined | 0 | ''>;
    if (Date.now() > deadline)
      throw new Error(`Timed out after ${timeoutMs} ms waiting until ${condition}\n${explain?.() ?? ''}`);
    await pause(20);
  }
}

/** Waits between polls or between load requests. To wait for a condition, use {@link until}. */
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
