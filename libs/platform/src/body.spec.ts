import { jest } from '@jest/globals';
import { Controller, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Problem } from '#libs/contracts';
import { connect, type AddressInfo } from 'node:net';
import { pino } from 'pino';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { until as untilTrue } from '../../../test/kit/instance.js';
import { createOperation } from '../../../test/kit/operation.js';
import { MAX_BODY_BYTES, MAX_OPEN_BODY_BYTES } from './body.js';
import { createHttpApp } from './http-app.js';
import { Handle, type RequestOf } from './operations/handle.js';
import { PlatformModule } from './platform.module.js';

const receivedBodies: unknown[] = [];

const PUBLIC_OPERATION = createOperation('POST /bodies/open', 'public', { status: 201 });
const OPEN_OPERATION = createOperation('POST /bodies/public', 'open', { status: 201 });
const ADMINISTRATOR_OPERATION = createOperation('POST /bodies/closed', 'administrator', { status: 201 });

@Controller()
class BodiesController {
  @Handle(PUBLIC_OPERATION)
  open({ body }: RequestOf<typeof PUBLIC_OPERATION>): void {
    receivedBodies.push(body);
  }

  @Handle(OPEN_OPERATION)
  public({ body }: RequestOf<typeof OPEN_OPERATION>): void {
    receivedBodies.push(body);
  }

  @Handle(ADMINISTRATOR_OPERATION)
  closed({ body }: RequestOf<typeof ADMINISTRATOR_OPERATION>): void {
    receivedBodies.push(body);
  }
}

@Module({ imports: [PlatformModule.forRoot(pino({ level: 'silent' }))], controllers: [BodiesController] })
class BodiesModule {}

let app: NestFastifyApplication;
beforeAll(async () => {
  app = await createHttpApp(BodiesModule, pino({ level: 'silent' }));
  const instance = app.getHttpAdapter().getInstance();
  for (const access of ['public', 'administrator'] as const) instance.guardAccess(access, async () => {});
  instance.serveOperations([PUBLIC_OPERATION, OPEN_OPERATION, ADMINISTRATOR_OPERATION]);
  await app.init();
  await instance.ready();
  await app.listen(0, '127.0.0.1');
});
afterAll(() => app.close());
beforeEach(() => receivedBodies.splice(0));

async function post(route: string, payload: string | Buffer, headers: object = {}): Promise<[number, Problem]> {
  const url = `/bodies/${route}`;
  const response = await app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...headers },
    payload,
  });
  return [response.statusCode, (response.payload && response.json()) as Problem];
}

/** Sends the body after its request was rejected, then another request. @returns Both raw responses. */
async function sendLate(bytes: number): Promise<string> {
  const { port } = app.getHttpServer().address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => (received += String(chunk)));
  const hasResponses = (count: number) => (): boolean => (received.match(/HTTP\/1\.1/g) ?? []).length >= count;
  const requestHead = (length: number): string =>
    `POST /bodies/closed HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  try {
    socket.write(requestHead(bytes));
    await untilTrue(hasResponses(1), { condition: 'the first request is rejected' });
    socket.write(Buffer.alloc(bytes, ' '));
    socket.write(`${requestHead(2)}{}`);
    await untilTrue(hasResponses(2), { condition: 'the next request gets a response' });
    return received;
  } finally {
    socket.destroy();
  }
}

const jsonText = (bytes: number): string => JSON.stringify('x'.repeat(bytes - 2));

describe.each(['open', 'public'])('body parser on routes without credentials (%s)', (route) => {
  it('reads bodies of up to 16 KiB', async () => {
    expect((await post(route, jsonText(MAX_OPEN_BODY_BYTES)))[0]).toBe(201);
    expect((await post(route, jsonText(MAX_OPEN_BODY_BYTES + 1)))[0]).toBe(413);
    expect(receivedBodies).toHaveLength(1);
  });

  it('rejects a Content-Length over the limit', async () => {
    expect((await post(route, '{}', { 'content-length': String(MAX_OPEN_BODY_BYTES + 1) }))[0]).toBe(413);
  });

  it.each(['gzip', 'br', 'zstd', 'compress', 'constructor'])(
    'rejects a body with Content-Encoding %s',
    async (encoding) => {
      const [status, { detail }] = await post(route, gzipSync('{}'), { 'content-encoding': encoding });
      expect([status, detail]).toEqual([
        415,
        `Send the body without Content-Encoding. This address doesn't accept compressed bodies (got "${encoding}").`,
      ]);
      expect(receivedBodies).toEqual([]);
    },
  );
});

const jsonObjectWithMembers = (count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `"${index.toString(36)}":0`).join(',')}}`;

describe('body parser on routes with credentials', () => {
  it('decompresses a Brotli body', async () => {
    expect(
      (await post('closed', brotliCompressSync(jsonObjectWithMembers(20_000)), { 'content-encoding': 'br' }))[0],
    ).toBe(201);
  });

  it.each([
    ['deep', '['.repeat(2_400_000), 'must not be nested more than 1000 levels deep', 1_000],
    [
      'deep but complete',
      '['.repeat(1_001) + ']'.repeat(1_001),
      'must not be nested more than 1000 levels deep',
      1_000,
    ],
    ['wide', jsonObjectWithMembers(560_000), 'must not have more than 20000 members in one object', 158_668],
    [
      'long',
      `[${Array(500).fill(jsonObjectWithMembers(1_000)).join(',')}]`,
      'must not contain more than 262144 values. Split it into several requests',
      1_824_265,
    ],
  ])('rejects a body that is too %s and reports the offset', async (_, body, detail, byte) => {
    const [status, problem] = await post('closed', gzipSync(body), { 'content-encoding': 'gzip' });
    expect([status, problem.errors]).toEqual([422, [{ pointer: '', detail }]]);
    expect(problem.detail).toBe(`The body ${detail} (limit exceeded at byte ${byte}).`);
    expect(receivedBodies).toEqual([]);
  });

  it.each([
    ['contains 2.4 million nested arrays', '['.repeat(2_400_000)],
    ['has 560,000 members', jsonObjectWithMembers(560_000).slice(0, MAX_BODY_BYTES)],
    ['contains 360,000 objects', `[${Array.from({ length: 360_000 }, (_, index) => `{"${index}x":0}`).join(',')}]`],
  ])('rejects a body that %s without parsing it', async (_, hostileBody) => {
    const parse = jest.spyOn(JSON, 'parse');
    expect((await post('closed', '{"not":"hostile"}'))[0]).toBe(201);
    expect(parse).toHaveBeenCalledWith('{"not":"hostile"}');
    expect((await post('closed', hostileBody))[0]).toBe(422);
    // The calls include the responses that `post` parses.
    expect(Math.max(...parse.mock.calls.map(([jsonText]) => jsonText.length))).toBeLessThan(1_000);
    parse.mockRestore();
  });
});

it('the body parser drains an oversized body so the connection can be reused', async () => {
  expect(await sendLate(MAX_BODY_BYTES + 1)).toMatch(/^HTTP\/1\.1 413 [^]*HTTP\/1\.1 201 /);
});
