import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureCommands } from '../stack/packages.ts';
import { disposables, temporaryFolder } from './instance.js';

const run = promisify(execFile);

/** Test certificate authority and a server certificate that it signed. */
export interface TestCertificates {
  ca: string;
  key: string;
  cert: string;
}

/** @param names subjectAltName entries, such as `DNS:agent.test`. */
export async function createCertificates(names: string[]): Promise<TestCertificates> {
  await ensureCommands({ openssl: 'openssl' });
  const folder = await temporaryFolder();
  const openssl = (line: string, ...rest: string[]) => run('openssl', [...line.split(' '), ...rest], { cwd: folder });
  const key = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';
  await openssl(`req -x509 ${key} -keyout ca.key -out ca.crt -days 2 -subj`, '/CN=test authority');
  await writeFile(join(folder, 'names'), `subjectAltName=${names.join(',')}`);
  await openssl(`req ${key} -keyout server.key -out server.csr -subj`, '/CN=server');
  const signingOptions = '-CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile names';
  await openssl(`x509 -req -in server.csr ${signingOptions} -out server.crt`);
  const readText = (name: string) => readFile(join(folder, name), 'utf8');
  const certificates = {
    ca: await readText('ca.crt'),
    key: await readText('server.key'),
    cert: await readText('server.crt'),
  };
  await rm(folder, { recursive: true, force: true });
  return certificates;
}

/** HTTPS server on localhost that records its requests. */
export class HttpsServer {
  readonly requests: IncomingMessage[] = [];

  private constructor(
    private readonly server: Server,
    /** Request handler. Tests can replace it at any time. */
    public handler: (request: IncomingMessage, response: ServerResponse) => void,
  ) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.requests.push(request);
      this.handler(request, response);
    });
    // Some tests disconnect early or don't trust the certificate.
    server.on('tlsClientError', () => undefined);
  }

  static async start({ key, cert }: TestCertificates, handler: HttpsServer['handler']): Promise<HttpsServer> {
    const server = createServer({ key, cert });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const httpsServer = new HttpsServer(server, handler);
    disposables.add(httpsServer);
    return httpsServer;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async dispose(): Promise<void> {
    disposables.delete(this);
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
