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
  /** A process that has the id in `postmaster.pid` and is not PostgreSQL. */
  strangerId: number | undefined;
  /** Settings of PostgreSQL that win over ours, by name. */
  settings: Record<string, string>;
  log: PostgresLog;
}

/** One run of the postmaster. */
export class ServerProcess {
  readonly startedAt = Date.now();
  /** How it ended, as half a sentence. */
  readonly ended: Promise<string>;
  readonly #options: ServerOptions;
  readonly #child: ChildProcess;
  readonly #lines: string[] = [];
  #isOver = false;
  #isStopping = false;

  constructor(options: ServerOptions) {
    this.#options = options;
    const { binaries, cluster, port, user, strangerId, settings, log } = options;
    // The server takes the process of this id for one of its ancestors, and not for another server.
    const environment = strangerId === undefined ? {} : { PG_GRANDPARENT_PID: String(strangerId) };
    this.#child = startProgram(binaries.postgres, serverArguments(cluster, port, settings), {
      user,
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe'],
      // A session of its own: Ctrl-C in a terminal is for us, who need the database until all is drained.
      detached: true,
    });
    this.ended = this.#waitForEnd();
    const write = logLines(log, () => this.#isStopping);
    // Absent when there are too many open files, which the `error` event tells.
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

  /** The port was taken between our choosing it and the server's listening there. */
  get foundPortTaken(): boolean {
    return this.#said(/could not bind|could not create any TCP\/IP sockets/);
  }

  /** The processes of a killed server end only when they notice. */
  get foundPredecessor(): boolean {
    return this.#said(/pre-existing shared memory block/);
  }

  /**
   * Waits until it accepts connections, however long it recovers from a crash.
   * @throws Error if it ends before.
   */
  async ready(): Promise<void> {
    const statusFile = join(this.#options.cluster, 'postmaster.pid');
    for (let next = this.startedAt + STARTING_LOG_INTERVAL_MS; ; await sleep(POLL_MS)) {
      if (this.#isOver) throw this.#failure(await this.ended);
      const lines = (await readFile(statusFile, 'utf8').catch(() => '')).split('\n');
      // As pg_ctl does it: the first line is the process, the eighth its status.
      if (lines[0] === String(this.#child.pid) && lines[7]?.trim() === 'ready') return;
      if (Date.now() > next) {
        next += STARTING_LOG_INTERVAL_MS;
        this.#options.log.info({}, 'the database is still starting, as it does after a crash; waiting');
      }
    }
  }

  /** Ends all connections and writes everything to disk; if that takes too long, recovery makes up for it. */
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
      // Windows has no signals; PostgreSQL emulates them.
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
    // Its last words; but the processes it leaves behind when killed may hold the pipe.
    const { stderr } = this.#child;
    if (stderr && !stderr.closed) await Promise.race([once(stderr, 'close'), sleep(300)]);
    this.#isOver = true;
    return over;
  }
}
