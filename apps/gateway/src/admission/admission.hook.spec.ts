import { connect, type Socket } from 'node:net';
import { jest } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import { recordVisits } from '#libs/contracts';
import { AdmissionControl, PreparedProblem, unavailable } from '#libs/platform';
import { until } from '../../../../test/kit/instance.js';
import { registerAdmission } from './admission.hook.js';

/** Maximum bytes admitted at a time. The clock is stopped, so no admission expires. */
const LIMIT = 100_000;
const KEEP_ALIVE_MS = 200;

let control: AdmissionControl;
let instance: FastifyInstance;
let port: number;
/** Number of requests that reached Fastify's hooks. */
let hooked: number;
const sockets: Socket[] = [];

beforeEach(async () => {
  control = new AdmissionControl({ initialBytes: LIMIT, minBytes: 0, now: () => 0 });
  instance = fastify({ keepAliveTimeout: KEEP_ALIVE_MS });
  instance.server.keepAliveTimeoutBuffer = 0;
  instance.decorateRequest('context');
  hooked = 0;
  instance.addHook('onRequest', (request, _reply, done) => {
    hooked += 1;
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

/** Sends the head of a request and the start of its body. */
function begin(bytes: number, body = '{', project = 'x'): Socket {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.write(
    `POST / HTTP/1.1\r\nHost: ${project}\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n${body}`,
  );
  return socket;
}

/** Fills the limit with the bodies of two projects, half each. */
async function fill(): Promise<void> {
  begin(LIMIT);
  begin(LIMIT, '{', 'y');
  await untilAdmitted(LIMIT);
}

const refused = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n1';

/** Sends pipelined requests in a single write. */
function converse(requests: string) {
  let answers = '';
  const socket = connect(port, '127.0.0.1', () => socket.write(requests));
  sockets.push(socket);
  socket.on('data', (chunk) => (answers += chunk.toString()));
  const answered = async (count: number): Promise<string> => {
    await until(() => answers.match(/HTTP\/1.1 \d/g)?.length === count, {
      what: 'all are answered',
      explain: () => answers,
    });
    return answers;
  };
  return { socket, answered };
}

const answersTo = (requests: string, count: number): Promise<string> => converse(requests).answered(count);

const untilAdmitted = (bytes: number): Promise<unknown> =>
  until(() => control.admitted === bytes, {
    what: `${bytes} bytes are admitted`,
    explain: () => `${control.admitted}`,
  });

it('releases the bytes of clients that disconnect before sending them', async () => {
  const clients = Array.from({ length: 10 }, () => begin(LIMIT / 20));
  await until(() => hooked === 10, { what: 'all requests have begun' });
  await untilAdmitted(LIMIT / 2);
  for (const client of clients) client.destroy();
  await untilAdmitted(0);
  expect(hooked).toBe(10);
});

it('releases the announced bytes after the response, whether it succeeds or fails', async () => {
  const answers: string[] = [];
  for (const body of ['{}', '[1']) begin(2, body).on('data', (chunk) => answers.push(chunk.toString()));
  await until(() => answers.length === 2, { what: 'both are answered' });
  await untilAdmitted(0);
  expect(hooked).toBe(2);
});

it('refuses requests of every project at the limit, before reading their bodies', async () => {
  await fill();
  let answer = '';
  begin(30_000, '', 'z').on('data', (chunk) => (answer += chunk.toString()));
  await until(() => answer.endsWith('}'), { what: 'it is answered', explain: () => answer });
  expect(answer).toMatch(/^HTTP\/1.1 503 [^]*retry-after: 1\r\n[^]*x-request-id: ([\w-]+)\r\n[^]*"instance":"\1"\}$/i);
});

it('responds in the order of the requests', async () => {
  await fill();
  const answers = await answersTo(`${refused}GET /none HTTP/1.1\r\nHost: x\r\n\r\n`, 2);
  expect(answers.match(/(?<=HTTP\/1.1 )\d+/g)).toEqual(['503', '404']);
});

it('reads the body of a request that follows a refused one on the same connection', async () => {
  await fill();
  const admitted = new AdmissionControl();
  jest
    .spyOn(control, 'admit')
    .mockReturnValueOnce(null)
    .mockReturnValueOnce(null)
    .mockImplementation((bytes, id) => admitted.admit(bytes, id));
  const stored = 'POST / HTTP/1.1\r\nHost: z\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';
  expect(await answersTo(refused + stored, 2)).toMatch(/^HTTP\/1.1 503[^]+HTTP\/1.1 200[^]+stored$/);
});

it('closes an idle connection after a refusal', async () => {
  await fill();
  const { socket, answered } = converse(refused);
  await answered(1);
  await until(() => socket.closed, { what: 'the connection is closed' });
  expect(control.admitted).toBe(LIMIT);
});

it('charges a fixed cost per request in addition to its body', async () => {
  let refused = 0;
  for (let count = 0; count < 30; count += 1) begin(2, '').on('data', () => (refused += 1));
  // One project can use half of the limit, at 2 KiB per request.
  await until(() => refused === 5, { what: 'five are refused', explain: () => `${refused}` });
  await untilAdmitted(LIMIT / 2);
  expect([hooked, refused]).toEqual([30, 5]);
});

it("refuses a request beyond the project's share without admitting any of its bytes", async () => {
  const large = begin(LIMIT);
  await untilAdmitted(LIMIT / 2);
  let answer = '';
  begin(10).on('data', (chunk) => (answer += chunk.toString()));
  await until(() => answer.startsWith('HTTP/1.1 503'), { what: 'it is refused', explain: () => answer });
  expect(answer).toMatch(/retry-after: 1/i);
  large.destroy();
  await untilAdmitted(0);
});

it('admits other projects while one announces bodies that it never sends', async () => {
  const answers: string[] = [];
  for (let count = 0; count < 20; count += 1) begin(LIMIT, '').on('data', (chunk) => answers.push(String(chunk)));
  await until(() => answers.length === 19, { what: 'all but one are refused', explain: () => answers.join('') });
  let answer = '';
  begin(2, '{}', 'y').on('data', (chunk) => (answer += String(chunk)));
  await until(() => answer !== '', { what: 'it is answered' });
  expect(answer).toMatch(/^HTTP\/1.1 200/);
});
