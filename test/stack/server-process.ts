/** Runs a server as a separate process that can be stopped, killed, frozen and restarted. */
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { guardGroup, releaseGroup } from './orphan-guard.ts';

export interface ServerCommand {
  command: string;
  args: string[];
  env?: Record<string, string>;
  cwd?: string;
  /** For servers that refuse to run as root. */
  user?: { uid: number; gid: number } | undefined;
  /** Port on 127.0.0.1. Omit it for a command that exits on its own. */
  port?: number;
  /** Readiness check. With a port, it is called once the port accepts connections. */
  isReady?: () => Promise<boolean>;
  /** Receives stdout and stderr. */
  onOutput?: (text: string) => void;
  /** Default: SIGTERM. */
  stopSignal?: NodeJS.Signals;
  /** Time to exit before the process is killed. Default: 15,000. */
  stopTimeoutMs?: number;
  /** Time to become ready. Default: 60,000. */
  timeoutMs?: number;
  /** Restarts the process if it exits unexpectedly, like a process supervisor. */
  restart?: boolean;
}

/** Doubles with each restart, until a start succeeds. */
const FIRST_RESTART_DELAY_MS = 500;
const MAX_RESTART_DELAY_MS = 10_000;

export class ServerProcess {
  /** End of stdout and stderr, up to 20,000 characters. */
  output = '';
  private options: ServerCommand;
  private child: ChildProcess | null = null;
  private isEnding = false;
  private exited: Promise<number | null> = Promise.resolve(null);
  private restartDelay = FIRST_RESTART_DELAY_MS;
  private restarting: NodeJS.Timeout | undefined;

  constructor(options: ServerCommand) {
    this.options = options;
  }

  get command(): Readonly<ServerCommand> {
    return this.options;
  }

  /** Changes options for the next start. */
  change(options: Partial<ServerCommand>): void {
    this.options = { ...this.options, ...options };
  }

  get port(): number {
    return this.options.port!;
  }

  get pid(): number {
    return this.child!.pid!;
  }

  /** Returns resident memory in MiB. */
  memory(): number {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))![1]) / 1024;
  }

  get isRunning(): boolean {
    const { child } = this;
    return child?.pid !== undefined && child.exitCode === null && child.signalCode === null;
  }

  async start(): Promise<this> {
    this.isEnding = false;
    await this.launch().catch(async (error: unknown) => {
      await this.kill();
      throw error;
    });
    return this;
  }

  private async launch(): Promise<void> {
    clearTimeout(this.restarting);
    const { command, args, env, cwd, user } = this.options;
    const child = spawn(command, args, {
      cwd: cwd ?? '/',
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A separate process group: signals also reach its workers, and Ctrl-C doesn't stop it directly.
      detached: true,
      ...user,
    });
    this.child = child;
    if (child.pid !== undefined) guardGroup(child.pid);
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.ended(child, signal ?? code);
        resolve(code);
      });
      // A process that could not be started never emits `exit`.
      child.once('error', (error) => {
        this.output += `\n${error.message}\n`;
        if (child.pid === undefined) resolve(null);
      });
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        this.output = (this.output + chunk.toString()).slice(-20_000);
        this.options.onOutput?.(chunk.toString());
      });
    }
    await this.untilServing();
    this.restartDelay = FIRST_RESTART_DELAY_MS;
  }

  private ended(child: ChildProcess, how: number | string | null): void {
    this.output += `\n(ended: ${how})\n`;
    // When the first process exits, all others end, like in a container.
    signalGroup(child, 'SIGKILL');
    releaseGroup(child.pid!);
    if (!this.options.restart || this.isEnding) return;
    this.restarting = setTimeout(() => void this.again(), this.restartDelay);
    this.restartDelay = Math.min(this.restartDelay * 2, MAX_RESTART_DELAY_MS);
  }

  /** Freezes the process and its workers. Connections stay open, but get no response. */
  async freeze(): Promise<void> {
    signalGroup(this.child!, 'SIGSTOP');
    // Threads on other CPUs keep running briefly and could still respond.
    while (!(await this.isFrozen())) await sleep(1);
  }

  private async isFrozen(): Promise<boolean> {
    const tasks = `/proc/${this.pid}/task`;
    const threads = await readdir(tasks).catch(() => []);
    const states = threads.map((thread) => readFile(`${tasks}/${thread}/stat`, 'utf8').catch(() => ') T'));
    return (await Promise.all(states)).every((state) => state.slice(state.lastIndexOf(')')).startsWith(') T'));
  }

  thaw(): void {
    signalGroup(this.child!, 'SIGCONT');
  }

  /** Kills the process. It stays down until it is started again. */
  async kill(): Promise<void> {
    this.isEnding = true;
    await this.end('SIGKILL');
  }

  /** Simulates a crash: kills the process, but `restart` still applies. */
  async crash(): Promise<void> {
    await this.end('SIGKILL');
  }

  /**
   * Waits until the process exits.
   *
   * @returns the exit code, or null if it was ended by a signal
   */
  untilExit(): Promise<number | null> {
    return this.exited;
  }

  /**
   * Stops the process, or kills it after `stopTimeoutMs`.
   *
   * @returns the exit code, or null if it was ended by a signal
   */
  async stop(): Promise<number | null> {
    const { stopSignal = 'SIGTERM', stopTimeoutMs = 15_000 } = this.options;
    this.isEnding = true;
    const timer = setTimeout(() => this.child && signalGroup(this.child, 'SIGKILL'), stopTimeoutMs);
    const code = await this.end(stopSignal);
    clearTimeout(timer);
    return code;
  }

  private async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.isEnding) clearTimeout(this.restarting);
    const { child } = this;
    if (child === null || !this.isRunning) return child?.exitCode ?? null;
    if (signal === 'SIGKILL') signalGroup(child, signal);
    else child.kill(signal);
    signalGroup(child, 'SIGCONT');
    return this.exited;
  }

  private async again(): Promise<void> {
    if (this.isEnding || this.isRunning) return;
    await this.launch().catch((error: Error) => {
      this.output += `\n${error.message}\n`;
    });
  }

  private async untilServing(): Promise<void> {
    const { port, command, timeoutMs = 60_000, isReady = async () => true } = this.options;
    const deadline = Date.now() + timeoutMs;
    const listens = async (): Promise<boolean> => port === undefined || takesConnections(port);
    // Checks the port first: a health check can be a process that would slow down the start.
    while (!((await listens()) && (await isReady()))) {
      if (!this.isRunning) throw new Error(`${command} did not start:\n${this.output}`);
      if (Date.now() > deadline) throw new Error(`${command} does not serve within ${timeoutMs} ms:\n${this.output}`);
      await sleep(50);
    }
  }
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function takesConnections(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const answer = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  });
  socket.destroy();
  return answer;
}
