import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

/** Server that accepts visits at `/visits` like an instance does, and stores them by token. */
export class ReportReceiver {
  url = '';
  private readonly reports = new Map<string, object[]>();
  private server: Server | undefined;

  async start(): Promise<void> {
    const server = createServer(async (request, response) => {
      const bytes = await buffer(request);
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
      const visits = [JSON.parse(body.toString()) as object | object[]].flat();
      const isReport = request.method === 'POST' && request.url === '/visits';
      const [, token] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? [];
      if (isReport && token !== undefined) this.reports.set(token, [...this.getVisits(token), ...visits]);
      response.writeHead(isReport ? 204 : 404).end();
    });
    this.server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Returns the last visit reported with the given token. */
  getLastVisit(token: string): object | undefined {
    return this.getVisits(token).at(-1);
  }

  getVisits(token: string): object[] {
    return this.reports.get(token) ?? [];
  }

  async dispose(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve) ?? resolve(undefined));
  }
}
