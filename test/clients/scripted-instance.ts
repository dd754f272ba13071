import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';

interface ReceivedRequest {
  path: string;
  headers: IncomingHttpHeaders;
  /** Parsed JSON. */
  body: unknown;
}

interface ScriptedAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
  /** Milliseconds before it answers. */
  delayMs?: number;
}

/** Answers as it is told, for what a real instance does rarely, and remembers what it was asked. */
export class ScriptedInstance {
  url = '';
  readonly requests: ReceivedRequest[] = [];
  /** What the next requests are answered with, the first first; 204 once there are no more. */
  readonly script: ScriptedAnswer[] = [];
  private server: Server | undefined;

  async start(): Promise<this> {
    this.server = createServer(async (request, response) => {
      const bytes = await buffer(request);
      const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
      this.requests.push({ path: request.url!, headers: request.headers, body: JSON.parse(text.toString()) });
      const { status, headers, body, delayMs } = this.script.shift() ?? { status: 204 };
      if (delayMs !== undefined) await setTimeout(delayMs, undefined, { ref: false });
      response.writeHead(status, headers).end(body);
    });
    await new Promise<void>((resolve) => this.server!.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  /** Forgets what it was asked and told. */
  reset(): void {
    this.requests.length = 0;
    this.script.length = 0;
  }

  /** The paths of the visits of each request to `/visits`. */
  get batches(): string[][] {
    return this.requests
      .filter(({ path }) => path === '/visits')
      .map(({ body }) => (body as { request_path: string }[]).map((visit) => visit.request_path));
  }

  /** The idempotency keys of the requests. */
  get keys(): unknown[] {
    return this.requests.map(({ headers }) => headers['idempotency-key']);
  }

  async dispose(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve) ?? resolve(undefined));
  }
}
