import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.js';
import { describeExit, explainSpawnError, createError, suggestFix, startProgram, type SystemUser } from './command.js';
import type { PostgresLog } from './server-log.js';
import { createLineLogger } from './server-log.js';
import { getServerArguments } from './server-settings.js';

const POLL_INTERVAL_MS = 10;
const STARTUP_LOG_INTERVAL_MS = 10_000;
const MAX_OUTPUT_LINES = 20;
const FAST_SHUTDOWN_TIMEOUT_MS = 8_000;
const IMMEDIATE_SHUTDOWN_TIMEOUT_MS = 6_000;

export interface ServerOptions {
  binaries: Binaries;
  cluster: string;
  user: SystemUser | undefined;
  port: number;
  /** Process ID in `postmaster.pid` that no longer belongs to a server, from `stopOrphan`. */
  staleProcessId: number | undefined;
  settings: Record<string, string>;
  log: PostgresLog;
}

export class ServerProcess {
  readonly startedAt = Date.now();
  /** Resolves with the reason when the process exits, e.g. "it exited with code 1". */
  readonly exited: Promise<string>;
  readonly #options: ServerOptions;
  readonly #child: ChildProcess;
  readonly #lines: string[] = [];
  #isOver = false;
  #isStopping = false;

  constructor(options: ServerOptions) {
    this.#options = options;
    const { binaries, cluster, port, user, staleProcessId, settings, log } = options;
    // Makes PostgreSQL treat the process with this ID as its ancestor rather than another server.
    const environment = staleProcessId === undefined ? {} : { PG_GRANDPARENT_PID: String(staleProcessId) };
    this.#child = startProgram(binaries.postgres, getServerArguments(cluster, port, settings), {
      user,
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe'],
      // Start a new session, so Ctrl-C in a terminal doesn't reach PostgreSQL. We need the database until everything is
      // drained.
      detached: true,
    });
    this.exited = this.#waitForEnd();
    const write = createLineLogger(log, () => this.#isStopping);
    // `stderr` is undefined if too many files are open, which the `error` event reports.
    if (!this.#child.stderr) return;
    createInterface({ input: this.#child.stderr }).on('line', (line) => {
      this.#lines.push(line);
      if (this.#lines.length > MAX_OUTPUT_LINES) this.#lines.shift();
      write(line);
    });
  }

  get hasExited(): boolean {
    return this.#isOver;
  }

  /** True if another process took the port before the server could bind it. */
  get foundPortTaken(): boolean {
    return this.#said(/could not bind|could not create any TCP\/IP sockets/);
  }

  /** True if some processes of a killed server haven't exited yet. */
  get foundPredecessor(): boolean {
    return this.#said(/pre-existing shared memory block/);
  }

  /**
   * Waits until the server accepts connections, however long crash recovery takes.
   * @throws {Error} if the server exits first.
   */
  async waitUntilReady(): Promise<void> {
    const statusFile = join(this.#options.cluster, 'postmaster.pid');
    for (let nextLogAt = this.startedAt + STARTUP_LOG_INTERVAL_MS; ; await sleep(POLL_INTERVAL_MS)) {
      if (this.#isOver) throw this.#failure(await this.exited);
      const lines = (await readFile(statusFile, 'utf8').catch(() => '')).split('\n');
      // Like pg_ctl, compare the process ID in line 1 and the status in line 8.
      if (lines[0] === String(this.#child.pid) && lines[7]?.trim() === 'ready') return;
      if (Date.now() > nextLogAt) {
        nextLogAt += STARTUP_LOG_INTERVAL_MS;
        this.#options.log.info({}, 'the database is still starting; recovery after a crash can take a while');
      }
    }
  }

  /**
   * Closes all connections and flushes all data to disk. If that takes too long, kills the server, and crash recovery
   * runs on the next start.
   */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const [signal, timeoutMs] of [
      ['SIGINT', FAST_SHUTDOWN_TIMEOUT_MS],
      ['SIGQUIT', IMMEDIATE_SHUTDOWN_TIMEOUT_MS],
      ['SIGKILL', IMMEDIATE_SHUTDOWN_TIMEOUT_MS],
    ] as const) {
      if (this.#isOver) break;
      this.signal(signal);
      const timeout = new AbortController();
      await Promise.race([this.exited, sleep(timeoutMs, undefined, timeout).catch(() => {})]);
      timeout.abort();
    }
  }

  signal(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): void {
    if (this.#isOver || this.#child.pid === undefined) return;
    if (process.platform === 'win32') {
      // Windows has no signals, so pg_ctl emulates them.
      const args = ['kill', signal.slice('SIG'.length), String(this.#child.pid)];
      spawn(this.#options.binaries.pgCtl, args, { stdio: 'ignore', windowsHide: true }).on('error', () => {});
    } else {
      this.#child.kill(signal);
    }
  }

  #said(pattern: RegExp): boolean {
    return this.#isOver && this.#lines.some((line) => pattern.test(line));
  }

  #failure(exitReason: string): Error {
    return createError(`PostgreSQL didn't start: ${exitReason}. ${suggestFix(this.#lines.join('\n'))}`, this.#lines);
  }

  async #waitForEnd(): Promise<string> {
    const exitReason = await new Promise<string>((resolve) => {
      this.#child.on('error', (error) => resolve(explainSpawnError(error, this.#options.binaries.postgres)));
      this.#child.on('exit', (code, signal) => resolve(describeExit(code, signal)));
    });
    // Wait briefly for the remaining output. Child processes of a killed server may keep the pipe open.
    const { stderr } = this.#child;
    if (stderr && !stderr.closed) await Promise.race([once(stderr, 'close'), sleep(300)]);
    this.#isOver = true;
    return exitReason;
  }
}
