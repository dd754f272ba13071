import { createServer, type RequestListener, type Server } from 'node:http';
import {
  getDefaultAutoSelectFamilyAttemptTimeout,
  setDefaultAutoSelectFamilyAttemptTimeout,
  type AddressInfo,
  type Socket,
} from 'node:net';
import { InternalClient } from './internal-client.js';

/** Every address responds or refuses immediately, so timeouts only guard against a hang. */
const HANG_TIMEOUT_MS = 60_000;
const A = { address: '127.0.0.1', family: 4 };
const B = { address: '127.0.0.2', family: 4 };

const ok: RequestListener = (_, response) => response.end('{}');
const unwell: RequestListener = (_, response) => response.writeHead(503).end();
const cutInTheMiddle: RequestListener = (request, response) => {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('{"is":', () => request.socket.destroy());
};

class Replica {
  /** Connection of each request, in order. */
  readonly asked: Socket[] = [];
  private readonly server: Server;

  constructor(public answer: RequestListener = ok) {
    this.server = createServer((request, response) => {
      this.asked.push(request.socket);
      this.answer(request, response);
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
let addresses: (typeof A)[];
let port: number;
let client: InternalClient;

// Node's default of 250 ms would abort connection attempts while this process waits for the CPU.
const attemptTimeoutMs = getDefaultAutoSelectFamilyAttemptTimeout();
beforeAll(() => setDefaultAutoSelectFamilyAttemptTimeout(HANG_TIMEOUT_MS));
afterAll(() => setDefaultAutoSelectFamilyAttemptTimeout(attemptTimeoutMs));
beforeEach(async () => {
  [first, second] = [new Replica(), new Replica()];
  port = await first.listen(A.address);
  await second.listen(B.address, port);
});
afterEach(async () => {
  await client.close();
  await Promise.all([first.kill(), second.kill()]);
});

function open(renewAfterMs: number): void {
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

/** @returns the number of failed requests */
async function ask(times: number): Promise<number> {
  let failed = 0;
  for (let count = 0; count < times; count += 1) {
    await client.request({ method: 'POST', path: '/', body: {}, isIdempotent: true }).catch(() => (failed += 1));
  }
  return failed;
}

it('reaches new replicas once connections are renewed', async () => {
  addresses = [A];
  open(1);
  await ask(8);
  addresses = [A, B];
  await ask(300);
  for (const { asked } of [first, second]) expect(asked.length).toBeGreaterThan(60);
});

it('reuses its connections until they are renewed', async () => {
  addresses = [A];
  open(60_000);
  await ask(8);
  addresses = [A, B];
  await ask(100);
  expect([new Set(first.asked).size, second.asked]).toEqual([4, []]);
});

it.each([
  ['unwell', unwell],
  ['cut off in the middle of an answer', cutInTheMiddle],
])('retries on a new connection if a replica is %s, and stops using that replica', async (_, answer) => {
  addresses = [A];
  open(60_000);
  await ask(8);
  first.answer = answer;
  first.asked.length = 0;
  addresses = [B];
  expect(await ask(100)).toBe(0);
  // One request for each pool that was connected to it.
  expect([first.asked.length, second.asked.length]).toEqual([4, 100]);
});

it('loses no response when a replica is killed under load', async () => {
  addresses = [A, B];
  open(5);
  const all = () => first.asked.length + second.asked.length;
  const load = Array.from({ length: 8 }, () => ask(50));
  while (all() < 50) await new Promise(setImmediate);
  await second.kill();
  expect(await Promise.all(load)).toEqual(load.map(() => 0));
  expect(all()).toBeGreaterThanOrEqual(400);
});
