import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import { recordVisits } from '#libs/contracts';
import { AdmissionControl, PreparedProblem, unavailable } from '#libs/platform';
import { until } from '../../../../test/kit/instance.js';
import { registerAdmission } from './admission.hook.js';

/** Bytes that can be admitted at a time; the clock stands still, so nothing is given back for being late. */
const LIMIT = 100_000;
const KEEP_ALIVE_MS = 200;

let control: AdmissionControl;
let instance: FastifyInstance;
let port: number;
/** Requests that Fastify's hooks have seen. */
let hooked: number;
let onRefusal: () => void;
const sockets: Socket[] = [];

beforeEach(async () => {
  control = new AdmissionControl({ initialBytes: LIMIT, minBytes: 0, now: () => 0 });
  instance = fastify({ keepAliveTimeout: KEEP_ALIVE_MS });
  instance.server.keepAliveTimeoutBuffer = 0;
  instance.decorateRequest('context');
  [hooked, onRefusal] = [0, () => undefined];
  instance.addHook('onRequest', (request, _reply, done) => {
    hooked += 1;
    request.context = { projectId: request.headers.host } as typeof request.context;
    done();
  });
  const problem = new PreparedProblem(unavailable('Too much.', undefined, 1));
  const refuse = (): PreparedProblem => {
    onRefusal();
    return problem;
  };
  registerAdmission(instance, { control, refuse });
  instance.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  instance.post('/', { config: { operation: recordVisits } }, async () => 'stored');
  instance.get('/slow', async () => {
    await sleep(2 * KEEP_ALIVE_MS);
    return 'slow';
  });
  await instance.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = instance.server.address() as { port: number });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await instance.close();
});

/** Sends the head of a request and the beginning of its body. */
function begin(bytes: number, body = '{', project = 'x', path = '/'): Socket {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: ${project}\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n${body}`,
  );
  return socket;
}

/** Bodies of two projects, half of the limit each. */
async function fill(): Promise<void> {
  begin(LIMIT);
  begin(LIMIT, '{', 'y');
  await untilAdmitted(LIMIT);
}

const refused = 'POST /visits HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n1';

/** Sends requests in one piece. */
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

it('gives back what a client announced that goes away before it has sent it', async () => {
  const clients = Array.from({ length: 10 }, () => begin(LIMIT / 20));
  await untilAdmitted(LIMIT / 2);
  for (const client of clients) client.destroy();
  await untilAdmitted(0);
  expect(hooked).toBe(10);
});

it('gives back what was announced once it is answered, whatever the answer is', async () => {
  const answers: string[] = [];
  for (const body of ['{}', '[1']) begin(2, body).on('data', (chunk) => answers.push(chunk.toString()));
  await until(() => answers.length === 2, { what: 'both are answered' });
  await untilAdmitted(0);
  expect(hooked).toBe(2);
});

it('refuses visits without asking whose they are while none are admitted', async () => {
  await fill();
  const answerTo = async (path: string): Promise<string> => {
    let answer = '';
    begin(1, '{', 'nobody', path).on('data', (chunk) => (answer += chunk.toString()));
    await until(() => answer.endsWith('}'), { what: 'it is answered', explain: () => answer });
    return answer;
  };
  const known = hooked;
  const answer = await answerTo('/visits');
  expect(answer).toMatch(
    /^HTTP\/1.1 503 [^]*retry-after: 1\r\n[^]*x-request-id: ([\w-]{36})\r\n[^]*"instance":"\1"\}$/i,
  );
  expect(hooked).toBe(known);
  // Nothing else is anything but Fastify's.
  expect(await answerTo('/visits/none')).toMatch(/^HTTP\/1.1 404 /);
  expect(hooked).toBe(known + 1);
});

it('refuses what it reads in one turn of the event loop once all of it is read', async () => {
  await fill();
  const seen: string[] = [];
  jest.spyOn(control, 'isFull', 'get').mockImplementation(() => seen.push('read') > 0);
  onRefusal = () => seen.push('answered');
  await answersTo(refused + refused, 2);
  expect(seen).toEqual(['read', 'read', 'answered', 'answered']);
});

it('answers in the order of the requests', async () => {
  await fill();
  const answers = await answersTo(`${refused}GET /none HTTP/1.1\r\nHost: x\r\n\r\n`, 2);
  expect(answers.match(/(?<=HTTP\/1.1 )\d+/g)).toEqual(['503', '404']);
});

it('takes the bodies that follow a refused one on its connection', async () => {
  await fill();
  const isFull = jest.spyOn(control, 'isFull', 'get').mockReturnValueOnce(true);
  isFull.mockReturnValue(false);
  jest.spyOn(control, 'admit').mockImplementation((bytes, id) => new AdmissionControl().admit(bytes, id));
  const stored = 'POST / HTTP/1.1\r\nHost: z\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';
  expect(await answersTo(refused + stored, 2)).toMatch(/^HTTP\/1.1 503[^]+HTTP\/1.1 200[^]+stored$/);
});

it('closes a refused connection that idles, and none that waits for another answer', async () => {
  await fill();
  const { socket, answered } = converse(refused);
  await answered(1);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  expect(await answersTo(`${refused}GET /slow HTTP/1.1\r\nHost: x\r\n\r\n`, 2)).toMatch(/slow$/);
  await closed;
});

it('keeps nothing of the bodies that it refuses', async () => {
  let bytes = 0;
  jest.spyOn(ArrayBuffer.prototype, 'transfer').mockImplementation(function (this: ArrayBuffer) {
    bytes += this.byteLength;
    return this;
  });
  begin(LIMIT, '');
  begin(LIMIT, '', 'y');
  await untilAdmitted(LIMIT);
  // Whose the first one is nobody asks; the other comes to Fastify.
  for (const [path, known] of [
    ['/visits', 2],
    ['/', 3],
  ] as const) {
    bytes = 0;
    begin(30_000, 'x'.repeat(30_000), 'y', path);
    await until(() => bytes === 30_000, { what: 'the memory of the body is given back', explain: () => `${bytes}` });
    expect(hooked).toBe(known);
  }
});

it('counts requests beside their bodies', async () => {
  let refused = 0;
  for (let count = 0; count < 30; count += 1) begin(2, '').on('data', () => (refused += 1));
  // Half of what can be admitted is of one project's clients, at 2 KiB each.
  await until(() => refused === 5, { what: 'five are refused', explain: () => `${refused}` });
  await untilAdmitted(LIMIT / 2);
  expect([hooked, refused]).toEqual([30, 5]);
});

it('refuses what is too much, which takes nothing', async () => {
  const large = begin(LIMIT);
  await untilAdmitted(LIMIT / 2);
  let answer = '';
  begin(10).on('data', (chunk) => (answer += chunk.toString()));
  await until(() => answer.startsWith('HTTP/1.1 503'), { what: 'it is refused', explain: () => answer });
  expect(answer).toMatch(/retry-after: 1/i);
  large.destroy();
  await untilAdmitted(0);
});

it('stores what other projects post beside bodies that one announces and never sends', async () => {
  const answers: string[] = [];
  for (let count = 0; count < 20; count += 1) begin(LIMIT, '').on('data', (chunk) => answers.push(String(chunk)));
  await until(() => answers.length === 19, { what: 'all but one are refused', explain: () => answers.join('') });
  let answer = '';
  begin(2, '{}', 'y').on('data', (chunk) => (answer += String(chunk)));
  await until(() => answer !== '', { what: 'it is answered' });
  expect(answer).toMatch(/^HTTP\/1.1 200/);
});
