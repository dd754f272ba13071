import { jest } from '@jest/globals';
import { Controller, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Problem } from '#libs/contracts';
import { connect, type AddressInfo } from 'node:net';
import { pino } from 'pino';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { until as untilTrue } from '../../../test/kit/instance.js';
import { anyOperation } from '../../../test/kit/operation.js';
import { BODY_LIMIT, OPEN_BODY_LIMIT } from './body.js';
import { createHttpApp } from './http-app.js';
import { Handle, type RequestOf } from './operations/handle.js';
import { PlatformModule } from './platform.module.js';

const heard: unknown[] = [];

const PUBLIC = anyOperation('POST /bodies/open', 'public', { status: 201 });
const OPEN = anyOperation('POST /bodies/public', 'open', { status: 201 });
const CLOSED = anyOperation('POST /bodies/closed', 'administrator', { status: 201 });

@Controller()
class BodiesController {
  @Handle(PUBLIC)
  open({ body }: RequestOf<typeof PUBLIC>): void {
    heard.push(body);
  }

  @Handle(OPEN)
  public({ body }: RequestOf<typeof OPEN>): void {
    heard.push(body);
  }

  @Handle(CLOSED)
  closed({ body }: RequestOf<typeof CLOSED>): void {
    heard.push(body);
  }
}

@Module({ imports: [PlatformModule.forRoot(pino({ level: 'silent' }))], controllers: [BodiesController] })
class BodiesModule {}

let app: NestFastifyApplication;
beforeAll(async () => {
  app = await createHttpApp(BodiesModule, pino({ level: 'silent' }));
  const instance = app.getHttpAdapter().getInstance();
  for (const access of ['public', 'administrator'] as const) instance.guardAccess(access, async () => {});
  instance.serveOperations([PUBLIC, OPEN, CLOSED]);
  await app.init();
  await instance.ready();
  await app.listen(0, '127.0.0.1');
});
afterAll(() => app.close());
beforeEach(() => heard.splice(0));

async function post(route: string, payload: string | Buffer, headers: object = {}): Promise<[number, Problem]> {
  const url = `/bodies/${route}`;
  const answer = await app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...headers },
    payload,
  });
  return [answer.statusCode, (answer.payload && answer.json()) as Problem];
}

/** Sends the body only after its request was answered, then another request. @returns both responses */
async function sendLate(bytes: number): Promise<string> {
  const { port } = app.getHttpServer().address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  let answered = '';
  socket.on('data', (chunk) => (answered += String(chunk)));
  const until = (count: number) => (): boolean => (answered.match(/HTTP\/1\.1/g) ?? []).length >= count;
  const head = (length: number): string =>
    `POST /bodies/closed HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  try {
    socket.write(head(bytes));
    await untilTrue(until(1), { what: 'it is refused' });
    socket.write(Buffer.alloc(bytes, ' '));
    socket.write(`${head(2)}{}`);
    await untilTrue(until(2), { what: 'the next request is answered' });
    return answered;
  } finally {
    socket.destroy();
  }
}

const text = (bytes: number): string => JSON.stringify('x'.repeat(bytes - 2));

describe.each(['open', 'public'])('a route without credentials (%s)', (route) => {
  it('reads up to 16 KiB', async () => {
    expect((await post(route, text(OPEN_BODY_LIMIT)))[0]).toBe(201);
    expect((await post(route, text(OPEN_BODY_LIMIT + 1)))[0]).toBe(413);
    expect(heard).toHaveLength(1);
  });

  it('rejects an announced length over the limit', async () => {
    expect((await post(route, '{}', { 'content-length': String(OPEN_BODY_LIMIT + 1) }))[0]).toBe(413);
  });

  it.each(['gzip', 'br', 'zstd', 'compress', 'constructor'])(
    'rejects a body with Content-Encoding %s',
    async (encoding) => {
      const [status, { detail }] = await post(route, gzipSync('{}'), { 'content-encoding': encoding });
      expect([status, detail]).toEqual([
        415,
        `Send the body without Content-Encoding: this address takes no compressed body (got "${encoding}").`,
      ]);
      expect(heard).toEqual([]);
    },
  );
});

const members = (count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `"${index.toString(36)}":0`).join(',')}}`;

describe('a route with credentials', () => {
  it('decompresses bodies', async () => {
    expect((await post('closed', brotliCompressSync(members(20_000)), { 'content-encoding': 'br' }))[0]).toBe(201);
  });

  it.each([
    ['deep', '['.repeat(2_400_000), 'must not be nested more than 1000 deep', 1_000],
    ['deep but complete', '['.repeat(1_001) + ']'.repeat(1_001), 'must not be nested more than 1000 deep', 1_000],
    ['wide', members(560_000), 'must not have more than 20000 members in an object', 158_668],
    [
      'long',
      `[${Array(500).fill(members(1_000)).join(',')}]`,
      'must not hold more than 262144 values: split it into several requests',
      1_824_265,
    ],
  ])('rejects a body that is too %s and reports the byte', async (_, body, detail, byte) => {
    const [status, problem] = await post('closed', gzipSync(body), { 'content-encoding': 'gzip' });
    expect([status, problem.errors]).toEqual([422, [{ pointer: '', detail }]]);
    expect(problem.detail).toBe(`The body ${detail} (it does at byte ${byte}).`);
    expect(heard).toEqual([]);
  });

  it.each([
    ['nests 2.4 million arrays', '['.repeat(2_400_000)],
    ['has 560,000 members', members(560_000).slice(0, BODY_LIMIT)],
    ['names 360,000 things', `[${Array.from({ length: 360_000 }, (_, index) => `{"${index}x":0}`).join(',')}]`],
  ])('rejects a body that %s without parsing it', async (_, hostile) => {
    const parse = jest.spyOn(JSON, 'parse');
    expect((await post('closed', '{"not":"hostile"}'))[0]).toBe(201);
    expect(parse).toHaveBeenCalledWith('{"not":"hostile"}');
    expect((await post('closed', hostile))[0]).toBe(422);
    // Includes the responses parsed by `post`.
    expect(Math.max(...parse.mock.calls.map(([text]) => text.length))).toBeLessThan(1_000);
    parse.mockRestore();
  });
});

it('reads an oversized body to its end, so the connection stays usable', async () => {
  expect(await sendLate(BODY_LIMIT + 1)).toMatch(/^HTTP\/1\.1 413 [^]*HTTP\/1\.1 201 /);
});
