/** HTTP load from a separate C program. It shares the CPU with the measured service, but uses little of it. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { HttpLoadResult } from '../kit/http-load.ts';
import { ensureCommands } from '../stack/packages.ts';

export interface HttpLoadOptions {
  url: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  connections: number;
  /**
   * CPU core reserved for the program. It then handles responses as they arrive. Without it, the program checks for
   * responses every 2 ms, on any core.
   */
  core?: number;
}

export interface HttpLoad {
  /**
   * @param rate requests per second, regardless of the responses. By default, each connection sends the next request
   *   when it has received a response.
   * @throws Error if a connection fails.
   */
  run(milliseconds: number, rate?: number): Promise<HttpLoadResult>;
}

/** Compiled load program. {@link HttpLoadProgram.open} starts it. */
export class HttpLoadProgram {
  private readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async build(): Promise<HttpLoadProgram> {
    await ensureCommands({ cc: 'build-essential' });
    const program = new HttpLoadProgram(await mkdtemp(join(tmpdir(), 'agent-traffic-load-')));
    const source = join(import.meta.dirname, 'http-load.c');
    await promisify(execFile)('cc', ['-O2', '-o', program.path('http-load'), source]);
    return program;
  }

  /** Opens connections before the measurement. They can be used for one run, and are closed after it. */
  async open({ url, path, headers, body, connections, core }: HttpLoadOptions): Promise<HttpLoad> {
    const { host, hostname, port } = new URL(url);
    const all = { host, ...headers, 'content-length': Buffer.byteLength(body) };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    await writeFile(this.path('request'), `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
    const command = [this.path('http-load'), hostname, port, String(connections), this.path('request')];
    const [program, ...args] = core === undefined ? command : ['taskset', '-c', String(core), ...command, '0'];
    const child = spawn(program!, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = once(child, 'close') as Promise<[code: number | null]>;
    await Promise.race([once(child.stdout, 'readable'), ended]);
    return {
      async run(milliseconds, rate = 0) {
        child.stdin.end(`${milliseconds} ${rate}\n`);
        const output = await text(child.stdout);
        const [code] = await ended;
        if (code !== 0) throw new Error('the load failed');
        const [, ...answers] = output.trim().split('\n');
        const result = new HttpLoadResult();
        for (const line of answers) {
          const [status, duration, end] = line.split(' ').map(Number) as [number, number, number];
          result.add(status, duration / 1_000, end / 1_000);
        }
        return result;
      },
    };
  }

  async dispose(): Promise<void> {
    await rm(this.folder, { recursive: true });
  }

  private path(name: string): string {
    return join(this.folder, name);
  }
}
