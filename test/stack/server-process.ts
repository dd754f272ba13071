/** Runs a server as a separate process that can be stopped, killed, frozen, and restarted. */
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
  /** User for servers that can't run as root. */
  user?: { uid: number; gid: number } | undefined;
  /** Port on 127.0.0.1. Omit it for commands that exit on their own. */
  port?: number;
  /** Readiness check. If `port` is set, the check runs once the port accepts connections. */
  isReady?: () => Promise<boolean>;
  /** Receives stdout and stderr. */
  onOutput?: (text: string) => void;
  /** Signal that stops the process. Default: SIGTERM. */
  stopSignal?: NodeJS.Signals;
  /** Time the process has to exit before it's killed, in milliseconds. Default: 15,000. */
  stopTimeoutMs?: number;
  /** Time the server has to become ready, in milliseconds. Default: 60,000. */
  timeoutMs?: number;
  /** Restarts the process if it exits unexpectedly, like a process supervisor. */
  restart?: boolean;
}

/** Delay before the first restart. Doubles with each restart until a start succeeds. */
const INITIAL_RESTART_DELAY_MS = 500;
const MAX_RESTART_DELAY_MS = 10_000;

export class ServerProcess {
  /** Last 20,000 characters of stdout and stderr. */
  output = '';
  private options: ServerCommand;
  private child: ChildProcess | null = null;
  private isStopping = false;
  private exited: Promise<number | null> = Promise.resolve(null);
  private restartDelayMs = INITIAL_RESTART_DELAY_MS;
  private restartTimer: NodeJS.Timeout | undefined;

  constructor(options: ServerCommand) {
    this.options = options;
  }

  get command(): Readonly<ServerCommand> {
    return this.options;
  }

  /** Changes options for the next start. */
  configure(options: Partial<ServerCommand>): void {
    this.options = { ...this.options, ...options };
  }

  get port(): number {
    return this.options.port!;
  }

  get pid(): number {
    return this.child!.pid!;
  }

  /** Returns the resident memory in MiB. */
  residentMib(): number {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))![1]) / 1024;
  }

  get isRunning(): boolean {
    const { child } = this;
    return child?.pid !== undefined && child.exitCode === null && child.signalCode === null;
  }

  async start(): Promise<this> {
    this.isStopping = false;
    await this.launch().catch(async (error: unknown) => {
      await this.kill();
      throw error;
    });
    return this;
  }

  private async launch(): Promise<void> {
    clearTimeout(this.restartTimer);
    const { command, args, env, cwd, user } = this.options;
    const child = spawn(command, args, {
      cwd: cwd ?? '/',
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Use a separate process group, so that worker processes also receive our signals and Ctrl-C isn't sent to the
      // server directly.
      detached: true,
      ...user,
    });
    this.child = child;
    if (child.pid !== undefined) guardGroup(child.pid);
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.handleExit(child, signal ?? code);
        resolve(code);
      });
      // If the process couldn't be started, there is only an `error` event and no `exit` event.
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
    await this.waitUntilReady();
    this.restartDelayMs = INITIAL_RESTART_DELAY_MS;
  }

  private handleExit(child: ChildProcess, exitReason: number | string | null): void {
    this.output += `\n(exited: ${exitReason})\n`;
    // When the first process exits, kill all others, like a container runtime would.
    signalGroup(child, 'SIGKILL');
    releaseGroup(child.pid!);
    if (!this.options.restart || this.isStopping) return;
    this.restartTimer = setTimeout(() => void this.relaunch(), this.restartDelayMs);
    this.restartDelayMs = Math.min(this.restartDelayMs * 2, MAX_RESTART_DELAY_MS);
  }

  /** Freezes the process and its workers. Connections stay open but get no response. */
  async freeze(): Promise<void> {
    signalGroup(this.child!, 'SIGSTOP');
    // After SIGSTOP, threads on other CPUs keep running for a moment and could still respond.
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

  /** Kills the process. It isn't restarted until `start()` is called. */
  async kill(): Promise<void> {
    this.isStopping = true;
    await this.signalAndWait('SIGKILL');
  }

  /** Simulates a crash. Kills the process, but `restart` still applies. */
  async crash(): Promise<void> {
    await this.signalAndWait('SIGKILL');
  }

  /**
   * Waits until the process exits.
   *
   * @returns the exit code, or null if a signal ended the process
   */
  waitForExit(): Promise<number | null> {
    return this.exited;
  }

  /**
   * Stops the process, or kills it after `stopTimeoutMs`.
   *
   * @returns the exit code, or null if a signal ended the process
   */
  async stop(): Promise<number | null> {
    const { stopSignal = 'SIGTERM', stopTimeoutMs = 15_000 } = this.options;
    this.isStopping = true;
    const timer = setTimeout(() => this.child && signalGroup(this.child, 'SIGKILL'), stopTimeoutMs);
    const code = await this.signalAndWait(stopSignal);
    clearTimeout(timer);
    return code;
  }

  private async signalAndWait(signal: NodeJS.Signals): Promise<number | null> {
    if (this.isStopping) clearTimeout(this.restartTimer);
    const { child } = this;
    if (child === null || !this.isRunning) return child?.exitCode ?? null;
    if (signal === 'SIGKILL') signalGroup(child, signal);
    else child.kill(signal);
    signalGroup(child, 'SIGCONT');
    return this.exited;
  }

  private async relaunch(): Promise<void> {
    if (this.isStopping || this.isRunning) return;
    await this.launch().catch((error: Error) => {
      this.output += `\n${error.message}\n`;
    });
  }

  private async waitUntilReady(): Promise<void> {
    const { port, command, timeoutMs = 60_000, isReady = async () => true } = this.options;
    const deadline = Date.now() + timeoutMs;
    const isListening = async (): Promise<boolean> => port === undefined || acceptsConnections(port);
    // Check the port first, because a health check can be a process that would slow down the start.
    while (!((await isListening()) && (await isReady()))) {
      if (!this.isRunning) throw new Error(`${command} did not start:\n${this.output}`);
      if (Date.now() > deadline) throw new Error(`${command} was not ready within ${timeoutMs} ms:\n${this.output}`);
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

async function acceptsConnections(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  });
  socket.destroy();
  return isOpen;
}
