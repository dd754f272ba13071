/** A server as a process of its own that can be stopped, killed, frozen and started again. */
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ServerCommand {
  command: string;
  args: string[];
  env?: Record<string, string>;
  cwd?: string;
  /** Runs it as this user, where we are root and the server refuses to be. */
  user?: { uid: number; gid: number } | undefined;
  /** The port on loopback that it serves at. */
  port: number;
  /** Whether it serves; by default, whether the port takes connections. */
  isReady?: () => Promise<boolean>;
  /** Told what it prints. */
  onOutput?: (text: string) => void;
  /** How it is asked to end. */
  stopSignal?: NodeJS.Signals;
  /** Milliseconds to end before it is killed. */
  stopPatience?: number;
  /** Milliseconds to get there. */
  patience?: number;
  /** Starts it again when it ends without being asked to, as whatever runs services does. */
  restart?: boolean;
}

const RESTART_DELAY = 500;

export class ServerProcess {
  /** The last of what it printed. */
  output = '';
  private readonly options: ServerCommand;
  private child: ChildProcess | null = null;
  private isEnding = false;

  constructor(options: ServerCommand) {
    this.options = options;
  }

  get port(): number {
    return this.options.port;
  }

  get pid(): number {
    return this.child!.pid!;
  }

  /** Resident memory in MiB. */
  memory(): number {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))![1]) / 1024;
  }

  get isRunning(): boolean {
    return this.child !== null && this.child.exitCode === null && this.child.signalCode === null;
  }

  async start(): Promise<this> {
    const { command, args, env, cwd, user } = this.options;
    const child = spawn(command, args, {
      cwd: cwd ?? '/',
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...user,
    });
    this.child = child;
    this.isEnding = false;
    child.once('exit', (code, signal) => {
      this.output += `\n(ended: ${signal ?? code})\n`;
      if (this.options.restart && !this.isEnding) setTimeout(() => void this.again(), RESTART_DELAY);
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        this.output = (this.output + chunk.toString()).slice(-20_000);
        this.options.onOutput?.(chunk.toString());
      });
    }
    child.on('error', (error) => {
      this.output += `\n${error.message}`;
    });
    await this.untilServing();
    return this;
  }

  /** Freezes the process: its connections stay open, nothing answers. */
  async freeze(): Promise<void> {
    this.child!.kill('SIGSTOP');
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
    this.child!.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** @returns the exit code; null when a signal ended it. */
  async stop(): Promise<number | null> {
    const { stopSignal = 'SIGTERM', stopPatience = 15_000 } = this.options;
    const timer = setTimeout(() => this.child?.kill('SIGKILL'), stopPatience);
    const code = await this.end(stopSignal);
    clearTimeout(timer);
    return code;
  }

  private async end(signal: NodeJS.Signals): Promise<number | null> {
    const { child } = this;
    if (child === null || !this.isRunning) return child?.exitCode ?? null;
    this.isEnding = true;
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.kill(signal);
    child.kill('SIGCONT');
    return exited;
  }

  private async again(): Promise<void> {
    if (this.isEnding || this.isRunning) return;
    await this.start().catch((error: Error) => {
      this.output += `\n${error.message}\n`;
    });
  }

  private async untilServing(): Promise<void> {
    const { port, command, patience = 60_000, isReady = () => takesConnections(port) } = this.options;
    const deadline = Date.now() + patience;
    while (!(await isReady())) {
      if (!this.isRunning) throw new Error(`${command} did not start:\n${this.output}`);
      if (Date.now() > deadline) throw new Error(`${command} does not serve within ${patience} ms:\n${this.output}`);
      await sleep(50);
    }
  }
}

export async function takesConnections(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const answer = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  });
  socket.destroy();
  return answer;
}
