import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.js';
import { describeEnd, explainSpawnError, failure, nextStep, startProgram, type SystemUser } from './command.js';
import type { PostgresLog } from './server-log.js';
import { logLines } from './server-log.js';
import { serverArguments } from './server-settings.js';

const POLL_MS = 10;
const STARTING_LOG_INTERVAL_MS = 10_000;
const LINES_KEPT = 20;
const FAST_SHUTDOWN_MS = 8_000;
const IMMEDIATE_SHUTDOWN_MS = 6_000;

export interface ServerOptions {
  binaries: Binaries;
  cluster: string;
  user: SystemUser | undefined;
  port: number;
  /** Process ID in `postmaster.pid` that no server uses anymore; see `stopOrphan`. */
  strangerId: number | undefined;
  settings: Record<string, string>;
  log: PostgresLog;
}

export class ServerProcess {
  readonly startedAt = Date.now();
  /** Resolves when the process has exited, e.g. with "it ended with code 1". */
  readonly ended: Promise<string>;
  readonly #options: ServerOptions;
  readonly #child: ChildProcess;
  readonly #lines: string[] = [];
  #isOver = false;
  #isStopping = false;

  constructor(options: ServerOptions) {
    this.#options = options;
    const { binaries, cluster, port, user, strangerId, settings, log } = options;
    // PostgreSQL treats this process as an ancestor instead of as another server.
    const environment = strangerId === undefined ? {} : { PG_GRANDPARENT_PID: String(strangerId) };
    this.#child = startProgram(binaries.postgres, serverArguments(cluster, port, settings), {
      user,
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe'],
      // Runs in its own session, so Ctrl-C in a terminal only reaches us. We need the database until everything is
      // drained.
      detached: true,
    });
    this.ended = this.#waitForEnd();
    const write = logLines(log, () => this.#isStopping);
    // Missing if too many files are open, which the `error` event reports.
    if (!this.#child.stderr) return;
    createInterface({ input: this.#child.stderr }).on('line', (line) => {
      this.#lines.push(line);
      if (this.#lines.length > LINES_KEPT) this.#lines.shift();
      write(line);
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** True if the port was taken between our choosing it and the server binding it. */
  get foundPortTaken(): boolean {
    return this.#said(/could not bind|could not create any TCP\/IP sockets/);
  }

  /** True if processes of a killed server have not exited yet. */
  get foundPredecessor(): boolean {
    return this.#said(/pre-existing shared memory block/);
  }

  /**
   * Waits until the server accepts connections, no matter how long crash recovery takes.
   * @throws Error if the server exits first.
   */
  async ready(): Promise<void> {
    const statusFile = join(this.#options.cluster, 'postmaster.pid');
    for (let next = this.startedAt + STARTING_LOG_INTERVAL_MS; ; await sleep(POLL_MS)) {
      if (this.#isOver) throw this.#failure(await this.ended);
      const lines = (await readFile(statusFile, 'utf8').catch(() => '')).split('\n');
      // Like pg_ctl, reads the process ID from line 1 and the status from line 8.
      if (lines[0] === String(this.#child.pid) && lines[7]?.trim() === 'ready') return;
      if (Date.now() > next) {
        next += STARTING_LOG_INTERVAL_MS;
        this.#options.log.info({}, 'the database is still starting, as it does after a crash; waiting');
      }
    }
  }

  /**
   * Closes all connections and flushes everything to disk. If that takes too long, stops the server by force, and the
   * next start runs crash recovery.
   */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const [signal, timeoutMs] of [
      ['SIGINT', FAST_SHUTDOWN_MS],
      ['SIGQUIT', IMMEDIATE_SHUTDOWN_MS],
      ['SIGKILL', IMMEDIATE_SHUTDOWN_MS],
    ] as const) {
      if (this.#isOver) break;
      this.signal(signal);
      const timeout = new AbortController();
      await Promise.race([this.ended, sleep(timeoutMs, undefined, timeout).catch(() => {})]);
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

  #failure(end: string): Error {
    return failure(`PostgreSQL did not start: ${end}. ${nextStep(this.#lines.join('\n'))}`, this.#lines);
  }

  async #waitForEnd(): Promise<string> {
    const over = await new Promise<string>((resolve) => {
      this.#child.on('error', (error) => resolve(explainSpawnError(error, this.#options.binaries.postgres)));
      this.#child.on('exit', (code, signal) => resolve(describeEnd(code, signal)));
    });
    // Waits briefly for the remaining output. Child processes of a killed server may keep the pipe open.
    const { stderr } = this.#child;
    if (stderr && !stderr.closed) await Promise.race([once(stderr, 'close'), sleep(300)]);
    this.#isOver = true;
    return over;
  }
}
