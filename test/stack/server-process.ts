/** A server as a process of its own that can be stopped, killed, frozen and started again. */
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
  /** Runs it as this user, where we are root and the server refuses to be. */
  user?: { uid: number; gid: number } | undefined;
  /** The port on loopback that it serves at; none for what ends by itself. */
  port?: number;
  /** Whether it serves; asked once the port takes connections, if there is one. */
  isReady?: () => Promise<boolean>;
  /** Told what it prints. */
  onOutput?: (text: string) => void;
  /** How it is asked to end. */
  stopSignal?: NodeJS.Signals;
  /** Milliseconds to end before it is killed. */
  stopTimeoutMs?: number;
  /** Milliseconds to get there. */
  timeoutMs?: number;
  /** Starts it again when it ends without being asked to, as whatever runs services does. */
  restart?: boolean;
}

/** Milliseconds before it is started again; twice as long each time it doesn't get there. */
const FIRST_RESTART_DELAY_MS = 500;
const MAX_RESTART_DELAY_MS = 10_000;

export class ServerProcess {
  /** The last of what it printed. */
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

  /** What it is started with. */
  get command(): Readonly<ServerCommand> {
    return this.options;
  }

  /** Has it started another way, from its next start on. */
  change(options: Partial<ServerCommand>): void {
    this.options = { ...this.options, ...options };
  }

  get port(): number {
    return this.options.port!;
  }

  get pid(): number {
    return this.child!.pid!;
  }

  /** Resident memory in MiB. */
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
      // A group of its own: its workers are reached with it, and Ctrl-C is for us to pass on.
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
      // One that could not be started has no exit.
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
    // As in a container, nothing outlives the first process.
    signalGroup(child, 'SIGKILL');
    releaseGroup(child.pid!);
    if (!this.options.restart || this.isEnding) return;
    this.restarting = setTimeout(() => void this.again(), this.restartDelay);
    this.restartDelay = Math.min(this.restartDelay * 2, MAX_RESTART_DELAY_MS);
  }

  /** Freezes the process and its workers: their connections stay open, nothing answers. */
  async freeze(): Promise<void> {
    signalGroup(this.child!, 'SIGSTOP');
    // A thread that runs on another processor goes on for a moment, and may still answer.
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

  /** Without a word, and it stays down until it is started. */
  async kill(): Promise<void> {
    this.isEnding = true;
    await this.end('SIGKILL');
  }

  /** As if it had died by itself: it is started again if it is one that is. */
  async crash(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** Resolves once it has ended. @returns the exit code; null when a signal ended it. */
  untilExit(): Promise<number | null> {
    return this.exited;
  }

  /** @returns the exit code; null when a signal ended it. */
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
    // A health check may be a process of its own, which would slow the start that it waits for.
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
