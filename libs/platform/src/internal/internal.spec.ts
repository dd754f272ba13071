import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import { Controller, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { fastify } from 'fastify';
import { pino } from 'pino';
import { createOperation } from '../../../../test/kit/operation.js';
import { createHttpApp } from '../http-app.js';
import { Handle, type RequestOf } from '../operations/handle.js';
import { PlatformModule } from '../platform.module.js';
import { sendProblem, toProblem } from '../problem.filter.js';
import { ProblemError } from '../problem.js';
import { requestContext } from '../request-context.js';
import { registerInternalAccess } from './internal-access.js';
import { InternalClient, type InternalClientOptions } from './internal-client.js';

const SECRET = 'the-secret-of-the-services';

const ECHO_OPERATION = createOperation('POST /echo', 'internal', { status: 201 });
const REJECTED_OPERATION = createOperation('GET /refused', 'internal');
const CONFLICTING_OPERATION = createOperation('GET /changed', 'internal');
const CURRENT_VERSION = { name: 'Zoë', at: 1 };

@Controller()
class PeerController {
  @Handle(ECHO_OPERATION)
  echo({ body, raw }: RequestOf<typeof ECHO_OPERATION>): object {
    return { body, context: raw.context };
  }

  @Handle(REJECTED_OPERATION)
  reject(): never {
    throw new ProblemError('invalid-body', 'The body is invalid.', { errors: [{ pointer: '/a', detail: 'is wrong' }] });
  }

  @Handle(CONFLICTING_OPERATION)
  conflict(): never {
    throw new ProblemError('precondition-failed', 'The resource has changed.', { current: CURRENT_VERSION });
  }
}

@Module({ imports: [PlatformModule.forRoot(pino({ level: 'silent' }))], controllers: [PeerController] })
class PeerModule {}

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of cleanups.splice(0).toReversed()) await close();
});

function createClient(url: string, options: Partial<InternalClientOptions> = {}): InternalClient {
  const client = new InternalClient({ service: 'peer', url, secret: SECRET, timeoutMs: 30_000, ...options });
  cleanups.push(() => client.close());
  return client;
}

async function startPeer(): Promise<string> {
  const app: NestFastifyApplication = await createHttpApp(PeerModule, pino({ level: 'silent' }));
  registerInternalAccess(app.getHttpAdapter().getInstance(), SECRET, [
    ECHO_OPERATION,
    REJECTED_OPERATION,
    CONFLICTING_OPERATION,
  ]);
  await app.listen(0, '127.0.0.1');
  cleanups.push(() => app.close());
  return app.getUrl();
}

async function startServer(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const instance: Server = createServer(handle);
  await new Promise<void>((resolve) => instance.listen(0, '127.0.0.1', resolve));
  cleanups.push(
    () =>
      new Promise((resolve) => {
        instance.close(resolve);
        instance.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${(instance.address() as AddressInfo).port}`;
}

const getProblem = async (work: Promise<unknown>): Promise<{ type: string; detail: string }> => {
  const error = await work.then(
    () => new Error('the request succeeded'),
    (reason: Error) => reason,
  );
  expect(error).toBeInstanceOf(ProblemError);
  return { type: (error as ProblemError).type, detail: error.message };
};

it('InternalClient forwards the request ID and traceparent', async () => {
  const client = createClient(await startPeer());
  const context = { requestId: 'order-42', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
  const result = await requestContext.run(context, () =>
    client.request({ method: 'POST', path: '/echo', body: { ä: 1 } }),
  );
  expect(result).toEqual({ body: { ä: 1 }, context });
});

it('InternalClient forwards the actor, which is rejected without the secret', async () => {
  const url = await startPeer();
  const actor = { type: 'person' as const, name: 'Zoë', operation: 'changeAgent' };
  const context = { requestId: 'order-43', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, actor };
  const result = await requestContext.run(context, () =>
    createClient(url).request({ method: 'POST', path: '/echo', body: {} }),
  );
  expect(result).toEqual({ body: {}, context });
  const forgedResponse = await fetch(`${url}/echo`, {
    method: 'POST',
    headers: { 'x-agent-traffic-actor': Buffer.from(JSON.stringify(actor)).toString('base64url') },
  });
  expect(forgedResponse.status).toBe(401);
});

it('registerInternalAccess rejects requests without the correct secret', async () => {
  const url = await startPeer();
  for (const authorization of ['', 'Bearer', `Bearer ${SECRET}x`, SECRET]) {
    const response = await fetch(`${url}/refused`, { headers: { authorization } });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  }
  // A wrong secret is a mistake in the deployment, so the caller doesn't get the 401 response.
  const client = createClient(url, { secret: 'another-secret-of-services' });
  expect(await getProblem(client.request({ method: 'GET', path: '/refused' }))).toMatchObject({ type: 'unavailable' });
});

it("InternalClient forwards the service's problems", async () => {
  const client = createClient(await startPeer());
  const error = await client.request({ method: 'GET', path: '/refused' }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    type: 'invalid-body',
    message: 'The body is invalid.',
    errors: [{ pointer: '/a', detail: 'is wrong' }],
  });
  expect(await getProblem(client.request({ method: 'GET', path: '/nowhere' }))).toMatchObject({ type: 'not-found' });
});

it('InternalClient forwards the current version with an unchanged ETag', async () => {
  const url = await startPeer();
  const directResponse = await fetch(`${url}/changed`, { headers: { authorization: `Bearer ${SECRET}` } });
  expect([directResponse.status, directResponse.headers.get('etag')]).toEqual([
    412,
    expect.stringMatching(/^"[\w-]{22}"$/),
  ]);
  const instance = fastify({ genReqId: () => 'an-id' });
  cleanups.push(() => instance.close());
  instance.get('/', async (request, reply) => {
    const rejected = await createClient(url).request({ method: 'GET', path: '/changed' }).catch(toProblem);
    return sendProblem(rejected as ProblemError, request, reply);
  });
  const { statusCode, headers, body } = await instance.inject('/');
  expect([statusCode, headers['etag'], JSON.parse(body).current]).toEqual([
    412,
    directResponse.headers.get('etag'),
    CURRENT_VERSION,
  ]);
});

it('InternalClient returns content unchanged', async () => {
  const client = createClient(
    await startServer((_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('ä')),
  );
  expect(await client.exchange({ method: 'GET', path: '/' })).toMatchObject({
    status: 200,
    headers: { 'content-type': 'text/plain' },
    content: Buffer.from('ä'),
  });
  // A 304 response to an unconditional request is an error.
  const unexpectedNotModifiedClient = createClient(await startServer((_, response) => response.writeHead(304).end()));
  expect(await getProblem(unexpectedNotModifiedClient.exchange({ method: 'GET', path: '/' }))).toMatchObject({
    type: 'unavailable',
  });
});

it.each([
  ['503', (_: IncomingMessage, response: ServerResponse) => response.writeHead(503).end()],
  ['a broken connection', (request: IncomingMessage) => request.socket.destroy()],
])('InternalClient retries only idempotent requests after %s', async (_, fail) => {
  let calls = 0;
  const url = await startServer((request, response) => {
    calls += 1;
    if (calls % 2 === 1) fail(request, response);
    else response.end('{"ok":true}');
  });
  const client = createClient(url);
  expect(await client.request({ method: 'GET', path: '/', isIdempotent: true })).toEqual({ ok: true });
  expect(calls).toBe(2);
  expect(await getProblem(client.request({ method: 'POST', path: '/', body: {} }))).toMatchObject({
    type: 'unavailable',
  });
  expect(calls).toBe(3);
});

it('InternalClient never retries a conditional change, which may have succeeded', async () => {
  let calls = 0;
  const url = await startServer((request) => {
    calls += 1;
    request.socket.destroy();
  });
  const client = createClient(url);
  const put = () => client.call(createOperation('PUT /thing', 'internal'), {});
  await getProblem(put());
  expect(calls).toBe(2);
  const context = { requestId: 'order-44', traceparent: '', ifMatch: '"the version"' };
  await requestContext.run(context, () => getProblem(put()));
  expect(calls).toBe(3);
});

it('InternalClient times out without a retry', async () => {
  let calls = 0;
  const url = await startServer(() => (calls += 1));
  const client = createClient(url, { timeoutMs: 200 });
  const work = client.request({ method: 'GET', path: '/', isIdempotent: true });
  expect(await getProblem(work)).toMatchObject({ type: 'deadline-exceeded' });
  expect(calls).toBe(1);
});

it('InternalClient reports an unavailable service', async () => {
  const client = createClient('http://127.0.0.1:1');
  expect(await getProblem(client.request({ method: 'GET', path: '/', isIdempotent: true }))).toEqual({
    type: 'unavailable',
    detail: 'A service is temporarily unavailable. Try again in a moment.',
  });
});

it('InternalClient reuses connections and renews them after renewAfterMs', async () => {
  const sockets = new Set<unknown>();
  const url = await startServer((request, response) => {
    sockets.add(request.socket);
    response.end('{}');
  });
  const client = createClient(url, { renewAfterMs: 60_000 });
  const call = () => client.request({ method: 'GET', path: '/' });
  for (let count = 0; count < 20; count += 1) await call();
  const before = new Set(sockets);
  expect(before.size).toBeLessThanOrEqual(4);
  const later = performance.now() + 60_001;
  jest.spyOn(performance, 'now').mockReturnValue(later);
  sockets.clear();
  for (let count = 0; count < 5; count += 1) await call();
  jest.restoreAllMocks();
  expect([...sockets].filter((socket) => before.has(socket))).toEqual([]);
});
