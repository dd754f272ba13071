import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';

interface ReceivedRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: unknown;
}

interface ScriptedResponse {
  /** 0 closes the connection without a response. */
  status: number;
  headers?: Record<string, string>;
  body?: string;
  delayMs?: number;
}

/** Server with scripted responses, for cases that a real instance rarely produces. Records all requests. */
export class ScriptedInstance {
  url = '';
  readonly requests: ReceivedRequest[] = [];
  /** Responses to the next requests, in order. If empty, requests get a 204 response. */
  readonly script: ScriptedResponse[] = [];
  private server: Server | undefined;

  async start(): Promise<this> {
    this.server = createServer(async (request, response) => {
      const bytes = await buffer(request);
      const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
      this.requests.push({ path: request.url!, headers: request.headers, body: JSON.parse(text.toString()) });
      const { status, headers, body, delayMs } = this.script.shift() ?? { status: 204 };
      if (delayMs !== undefined) await setTimeout(delayMs, undefined, { ref: false });
      if (status === 0) response.destroy();
      else response.writeHead(status, headers).end(body);
    });
    await new Promise<void>((resolve) => this.server!.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  reset(): void {
    this.requests.length = 0;
    this.script.length = 0;
  }

  /** Paths of the reported visits, grouped by request. */
  get batches(): string[][] {
    return this.requests
      .filter(({ path }) => path === '/visits')
      .map(({ body }) => (body as { request_path: string }[]).map((visit) => visit.request_path));
  }

  get keys(): unknown[] {
    return this.requests.map(({ headers }) => headers['idempotency-key']);
  }

  async dispose(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve) ?? resolve(undefined));
  }
}
