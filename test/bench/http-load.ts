/** Generates HTTP load with a separate C program. It shares the CPU with the measured service but uses little of it. */
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
  /** JSON bodies of the requests, which are sent in turn. */
  bodies: readonly string[];
  connections: number;
  /**
   * CPU core reserved for the program, which then handles responses as they arrive. Without a reserved core, the
   * program checks for responses every 2 ms, on any core.
   */
  core?: number;
}

export interface HttpLoad {
  /**
   * @param rate Requests per second, sent without waiting for responses. By default, each connection sends its next
   * request once it has received a response.
   * @throws {Error} if a connection fails
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

  /** Opens connections before the measurement. They're used for a single run and then closed. */
  async open({ url, path, headers, bodies, connections, core }: HttpLoadOptions): Promise<HttpLoad> {
    const { host, hostname, port } = new URL(url);
    // The program expects requests of equal length.
    const length = Math.max(...bodies.map((body) => Buffer.byteLength(body)));
    const all = { host, ...headers, 'content-length': length };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    const requests = bodies.map((body) => {
      const padding = ' '.repeat(length - Buffer.byteLength(body));
      return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}${padding}`;
    });
    await writeFile(this.path('requests'), requests.join(''));
    const file = this.path('requests');
    const command = [this.path('http-load'), hostname, port, String(connections), file, String(bodies.length)];
    const [program, ...args] = core === undefined ? command : ['taskset', '-c', String(core), ...command, '0'];
    const child = spawn(program!, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const exited = once(child, 'close') as Promise<[code: number | null]>;
    await Promise.race([once(child.stdout, 'readable'), exited]);
    return {
      async run(milliseconds, rate = 0) {
        child.stdin.end(`${milliseconds} ${rate}\n`);
        const output = await text(child.stdout);
        const [code] = await exited;
        if (code !== 0) throw new Error('The load program failed');
        const [, ...responses] = output.trim().split('\n');
        const result = new HttpLoadResult();
        for (const line of responses) {
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
