import { connect, type Socket } from 'node:net';
import { jest } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import { recordVisits } from '#libs/contracts';
import { AdmissionControl, PreparedProblem, unavailable } from '#libs/platform';
import { until } from '../../../../test/kit/instance.js';
import { registerAdmission } from './admission.hook.js';

/** Maximum number of bytes admitted at a time. The tests stop the clock, so admissions never expire. */
const LIMIT = 100_000;
const KEEP_ALIVE_MS = 200;

let control: AdmissionControl;
let instance: FastifyInstance;
let port: number;
let hookCalls: number;
const sockets: Socket[] = [];

beforeEach(async () => {
  control = new AdmissionControl({ initialBytes: LIMIT, minBytes: 0, now: () => 0 });
  instance = fastify({ keepAliveTimeout: KEEP_ALIVE_MS });
  instance.server.keepAliveTimeoutBuffer = 0;
  instance.decorateRequest('context');
  hookCalls = 0;
  instance.addHook('onRequest', (request, _reply, done) => {
    hookCalls += 1;
    request.context = { projectId: request.headers.host } as typeof request.context;
    done();
  });
  const problem = new PreparedProblem(unavailable('Too much.', undefined, 1));
  registerAdmission(instance, { control, refuse: () => problem });
  instance.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  instance.post('/', { config: { operation: recordVisits } }, async () => 'stored');
  await instance.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = instance.server.address() as { port: number });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await instance.close();
});

function startRequest(bytes: number, body = '{', project = 'x'): Socket {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.write(
    `POST / HTTP/1.1\r\nHost: ${project}\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n${body}`,
  );
  return socket;
}

/**
 * Uses up the limit with two unfinished requests from different projects. Each takes up half of the limit, which is a
 * project's maximum share.
 */
async function fill(): Promise<void> {
  startRequest(LIMIT);
  startRequest(LIMIT, '{', 'y');
  await untilAdmitted(LIMIT);
}

const rejected = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n1';

/** Sends pipelined requests in a single write. `answered` resolves after the given number of responses. */
function sendPipelined(requests: string) {
  let responses = '';
  const socket = connect(port, '127.0.0.1', () => socket.write(requests));
  sockets.push(socket);
  socket.on('data', (chunk) => (responses += chunk.toString()));
  const answered = async (count: number): Promise<string> => {
    await until(() => responses.match(/HTTP\/1.1 \d/g)?.length === count, {
      condition: 'all responses arrive',
      explain: () => responses,
    });
    return responses;
  };
  return { socket, answered };
}

const getResponses = (requests: string, count: number): Promise<string> => sendPipelined(requests).answered(count);

const untilAdmitted = (bytes: number): Promise<unknown> =>
  until(() => control.admittedBytes === bytes, {
    condition: `${bytes} bytes are admitted`,
    explain: () => `${control.admittedBytes}`,
  });

it('releases the admitted bytes when clients disconnect before sending the body', async () => {
  const clients = Array.from({ length: 10 }, () => startRequest(LIMIT / 20));
  await until(() => hookCalls === 10, { condition: 'all requests reach the hooks' });
  await untilAdmitted(LIMIT / 2);
  for (const client of clients) client.destroy();
  await untilAdmitted(0);
  expect(hookCalls).toBe(10);
});

it('releases the admitted bytes after a success or error response', async () => {
  const responses: string[] = [];
  for (const body of ['{}', '[1']) startRequest(2, body).on('data', (chunk) => responses.push(chunk.toString()));
  await until(() => responses.length === 2, { condition: 'both responses arrive' });
  await untilAdmitted(0);
  expect(hookCalls).toBe(2);
});

it('rejects requests from any project at the limit without waiting for the body', async () => {
  await fill();
  let response = '';
  startRequest(30_000, '', 'z').on('data', (chunk) => (response += chunk.toString()));
  await until(() => response.endsWith('}'), { condition: 'the response arrives', explain: () => response });
  expect(response).toMatch(
    /^HTTP\/1.1 503 [^]*retry-after: 1\r\n[^]*x-request-id: ([\w-]+)\r\n[^]*"instance":"\1"\}$/i,
  );
});

it('responds to pipelined requests in order', async () => {
  await fill();
  const responses = await getResponses(`${rejected}GET /none HTTP/1.1\r\nHost: x\r\n\r\n`, 2);
  expect(responses.match(/(?<=HTTP\/1.1 )\d+/g)).toEqual(['503', '404']);
});

it('accepts a request after a rejected one on the same connection', async () => {
  await fill();
  const admitted = new AdmissionControl();
  jest
    .spyOn(control, 'admit')
    .mockReturnValueOnce(null)
    .mockReturnValueOnce(null)
    .mockImplementation((bytes, id) => admitted.admit(bytes, id));
  const stored = 'POST / HTTP/1.1\r\nHost: z\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';
  expect(await getResponses(rejected + stored, 2)).toMatch(/^HTTP\/1.1 503[^]+HTTP\/1.1 200[^]+stored$/);
});

it('closes the connection if it stays idle after a rejection', async () => {
  await fill();
  const { socket, answered } = sendPipelined(rejected);
  await answered(1);
  await until(() => socket.closed, { condition: 'the connection is closed' });
  expect(control.admittedBytes).toBe(LIMIT);
});

it('charges a fixed cost for each request in addition to its body', async () => {
  let rejected = 0;
  for (let count = 0; count < 30; count += 1) startRequest(2, '').on('data', () => (rejected += 1));
  // A project can use half the limit (50,000 bytes), which fits 25 requests of 2 KiB.
  await until(() => rejected === 5, { condition: 'five requests are rejected', explain: () => `${rejected}` });
  await untilAdmitted(LIMIT / 2);
  expect([hookCalls, rejected]).toEqual([30, 5]);
});

it("rejects a request that exceeds the project's share without admitting any of its bytes", async () => {
  const large = startRequest(LIMIT);
  await untilAdmitted(LIMIT / 2);
  let response = '';
  startRequest(10).on('data', (chunk) => (response += chunk.toString()));
  await until(() => response.startsWith('HTTP/1.1 503'), {
    condition: 'the request is rejected',
    explain: () => response,
  });
  expect(response).toMatch(/retry-after: 1/i);
  large.destroy();
  await untilAdmitted(0);
});

it('admits other projects while one announces bodies but never sends them', async () => {
  const responses: string[] = [];
  for (let count = 0; count < 20; count += 1)
    startRequest(LIMIT, '').on('data', (chunk) => responses.push(String(chunk)));
  await until(() => responses.length === 19, {
    condition: '19 requests are rejected',
    explain: () => responses.join(''),
  });
  let response = '';
  startRequest(2, '{}', 'y').on('data', (chunk) => (response += String(chunk)));
  await until(() => response !== '', { condition: 'the response arrives' });
  expect(response).toMatch(/^HTTP\/1.1 200/);
});
