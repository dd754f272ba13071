import { createServer, type RequestListener, type Server } from 'node:http';
import {
  getDefaultAutoSelectFamilyAttemptTimeout,
  setDefaultAutoSelectFamilyAttemptTimeout,
  type AddressInfo,
  type Socket,
} from 'node:net';
import { InternalClient } from './internal-client.js';

/** All addresses respond or fail immediately, so this timeout only guards against a hang. */
const HANG_TIMEOUT_MS = 60_000;
const FIRST_ADDRESS = { address: '127.0.0.1', family: 4 };
const SECOND_ADDRESS = { address: '127.0.0.2', family: 4 };

const respondOk: RequestListener = (_, response) => response.end('{}');
const respondUnavailable: RequestListener = (_, response) => response.writeHead(503).end();
const truncateResponse: RequestListener = (request, response) => {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('{"is":', () => request.socket.destroy());
};

class Replica {
  /** Connection of each request, in order. */
  readonly sockets: Socket[] = [];
  private readonly server: Server;

  constructor(public respond: RequestListener = respondOk) {
    this.server = createServer((request, response) => {
      this.sockets.push(request.socket);
      this.respond(request, response);
    });
  }

  async listen(host: string, port = 0): Promise<number> {
    await new Promise<void>((resolve) => this.server.listen(port, host, resolve));
    return (this.server.address() as AddressInfo).port;
  }

  async kill(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

let first: Replica;
let second: Replica;
let addresses: (typeof FIRST_ADDRESS)[];
let port: number;
let client: InternalClient;

// Node.js's default of 250 ms could abort connection attempts while this process waits for the CPU.
const attemptTimeoutMs = getDefaultAutoSelectFamilyAttemptTimeout();
beforeAll(() => setDefaultAutoSelectFamilyAttemptTimeout(HANG_TIMEOUT_MS));
afterAll(() => setDefaultAutoSelectFamilyAttemptTimeout(attemptTimeoutMs));
beforeEach(async () => {
  [first, second] = [new Replica(), new Replica()];
  port = await first.listen(FIRST_ADDRESS.address);
  await second.listen(SECOND_ADDRESS.address, port);
});
afterEach(async () => {
  await client.close();
  await Promise.all([first.kill(), second.kill()]);
});

function openClient(renewAfterMs: number): void {
  const resolve = async () => addresses;
  client = new InternalClient({
    service: 'peer',
    url: `http://peer.test:${port}`,
    secret: 's',
    timeoutMs: HANG_TIMEOUT_MS,
    renewAfterMs,
    resolve,
  });
}

/** @returns The number of failed requests. */
async function sendRequests(times: number): Promise<number> {
  let failed = 0;
  for (let count = 0; count < times; count += 1) {
    await client.request({ method: 'POST', path: '/', body: {}, isIdempotent: true }).catch(() => (failed += 1));
  }
  return failed;
}

it('RenewedPool reaches new replicas after connections are renewed', async () => {
  addresses = [FIRST_ADDRESS];
  openClient(1);
  await sendRequests(8);
  addresses = [FIRST_ADDRESS, SECOND_ADDRESS];
  await sendRequests(300);
  for (const { sockets: asked } of [first, second]) expect(asked.length).toBeGreaterThan(60);
});

it('RenewedPool reuses its connections until they are renewed', async () => {
  addresses = [FIRST_ADDRESS];
  openClient(60_000);
  await sendRequests(8);
  addresses = [FIRST_ADDRESS, SECOND_ADDRESS];
  await sendRequests(100);
  expect([new Set(first.sockets).size, second.sockets]).toEqual([4, []]);
});

it.each([
  ['responds with 503', respondUnavailable],
  ['breaks the connection mid-response', truncateResponse],
])('RenewedPool switches to another replica if one %s', async (_, answer) => {
  addresses = [FIRST_ADDRESS];
  openClient(60_000);
  await sendRequests(8);
  first.respond = answer;
  first.sockets.length = 0;
  addresses = [SECOND_ADDRESS];
  expect(await sendRequests(100)).toBe(0);
  // Each of the four pools was connected to the first server and sent it one request.
  expect([first.sockets.length, second.sockets.length]).toEqual([4, 100]);
});

it('RenewedPool loses no response when a replica is killed under load', async () => {
  addresses = [FIRST_ADDRESS, SECOND_ADDRESS];
  openClient(5);
  const countRequests = () => first.sockets.length + second.sockets.length;
  const pendingLoads = Array.from({ length: 8 }, () => sendRequests(50));
  while (countRequests() < 50) await new Promise(setImmediate);
  await second.kill();
  expect(await Promise.all(pendingLoads)).toEqual(pendingLoads.map(() => 0));
  expect(countRequests()).toBeGreaterThanOrEqual(400);
});
