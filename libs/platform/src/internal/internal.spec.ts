import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import { Controller, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { fastify } from 'fastify';
import { pino } from 'pino';
import { anyOperation } from '../../../../test/kit/operation.js';
import { createHttpApp } from '../http-app.js';
import { Handle, type RequestOf } from '../operations/handle.js';
import { PlatformModule } from '../platform.module.js';
import { sendProblem, toProblem } from '../problem.filter.js';
import { ProblemError } from '../problem.js';
import { requestContext } from '../request-context.js';
import { registerInternalAccess } from './internal-access.js';
import { InternalClient, type InternalClientOptions } from './internal-client.js';

const SECRET = 'the-secret-of-the-services';

const ECHO = anyOperation('POST /echo', 'internal', { status: 201 });
const REFUSED = anyOperation('GET /refused', 'internal');
const CHANGED = anyOperation('GET /changed', 'internal');
const NOW = { name: 'Zoë', at: 1 };

@Controller()
class PeerController {
  @Handle(ECHO)
  echo({ body, raw }: RequestOf<typeof ECHO>): object {
    return { body, context: raw.context };
  }

  @Handle(REFUSED)
  refused(): never {
    throw new ProblemError('invalid-body', 'It does not fit.', { errors: [{ pointer: '/a', detail: 'is wrong' }] });
  }

  @Handle(CHANGED)
  changed(): never {
    throw new ProblemError('precondition-failed', 'It has changed.', { current: NOW });
  }
}

@Module({ imports: [PlatformModule.forRoot(pino({ level: 'silent' }))], controllers: [PeerController] })
class PeerModule {}

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

function clientOf(url: string, options: Partial<InternalClientOptions> = {}): InternalClient {
  const client = new InternalClient({ service: 'peer', url, secret: SECRET, timeoutMs: 30_000, ...options });
  open.push(() => client.close());
  return client;
}

async function peer(): Promise<string> {
  const app: NestFastifyApplication = await createHttpApp(PeerModule, pino({ level: 'silent' }));
  registerInternalAccess(app.getHttpAdapter().getInstance(), SECRET, [ECHO, REFUSED, CHANGED]);
  await app.listen(0, '127.0.0.1');
  open.push(() => app.close());
  return app.getUrl();
}

async function server(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const instance: Server = createServer(handle);
  await new Promise<void>((resolve) => instance.listen(0, '127.0.0.1', resolve));
  open.push(
    () =>
      new Promise((resolve) => {
        instance.close(resolve);
        instance.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${(instance.address() as AddressInfo).port}`;
}

const problem = async (work: Promise<unknown>): Promise<{ type: string; detail: string }> => {
  const error = await work.then(
    () => new Error('it was answered'),
    (reason: Error) => reason,
  );
  expect(error).toBeInstanceOf(ProblemError);
  return { type: (error as ProblemError).type, detail: error.message };
};

it('forwards the request ID and the trace', async () => {
  const client = clientOf(await peer());
  const context = { requestId: 'order-42', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
  const answer = await requestContext.run(context, () =>
    client.request({ method: 'POST', path: '/echo', body: { ä: 1 } }),
  );
  expect(answer).toEqual({ body: { ä: 1 }, context });
});

it('forwards the actor, but rejects one sent without the secret', async () => {
  const url = await peer();
  const actor = { type: 'person' as const, name: 'Zoë', operation: 'changeAgent' };
  const context = { requestId: 'order-43', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, actor };
  const answer = await requestContext.run(context, () =>
    clientOf(url).request({ method: 'POST', path: '/echo', body: {} }),
  );
  expect(answer).toEqual({ body: {}, context });
  const forged = await fetch(`${url}/echo`, {
    method: 'POST',
    headers: { 'x-agent-traffic-actor': Buffer.from(JSON.stringify(actor)).toString('base64url') },
  });
  expect(forged.status).toBe(401);
});

it('rejects requests without the secret', async () => {
  const url = await peer();
  for (const authorization of ['', 'Bearer', `Bearer ${SECRET}x`, SECRET]) {
    const response = await fetch(`${url}/refused`, { headers: { authorization } });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  }
  // The wrong secret is a fault of the deployment, not of the caller.
  const client = clientOf(url, { secret: 'another-secret-of-services' });
  expect(await problem(client.request({ method: 'GET', path: '/refused' }))).toMatchObject({ type: 'unavailable' });
});

it('forwards the problems of the service', async () => {
  const client = clientOf(await peer());
  const error = await client.request({ method: 'GET', path: '/refused' }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    type: 'invalid-body',
    message: 'It does not fit.',
    errors: [{ pointer: '/a', detail: 'is wrong' }],
  });
  expect(await problem(client.request({ method: 'GET', path: '/nowhere' }))).toMatchObject({ type: 'not-found' });
});

it('forwards the current state, which has the same ETag at each service', async () => {
  const url = await peer();
  const direct = await fetch(`${url}/changed`, { headers: { authorization: `Bearer ${SECRET}` } });
  expect([direct.status, direct.headers.get('etag')]).toEqual([412, expect.stringMatching(/^"[\w-]{22}"$/)]);
  const instance = fastify({ genReqId: () => 'an-id' });
  open.push(() => instance.close());
  instance.get('/', async (request, reply) => {
    const refused = await clientOf(url).request({ method: 'GET', path: '/changed' }).catch(toProblem);
    return sendProblem(refused as ProblemError, request, reply);
  });
  const { statusCode, headers, body } = await instance.inject('/');
  expect([statusCode, headers['etag'], JSON.parse(body).current]).toEqual([412, direct.headers.get('etag'), NOW]);
});

it('returns content unchanged', async () => {
  const client = clientOf(
    await server((_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('ä')),
  );
  expect(await client.exchange({ method: 'GET', path: '/' })).toMatchObject({
    status: 200,
    headers: { 'content-type': 'text/plain' },
    content: Buffer.from('ä'),
  });
  // A 304 response to an unconditional request is an error.
  const unasked = clientOf(await server((_, response) => response.writeHead(304).end()));
  expect(await problem(unasked.exchange({ method: 'GET', path: '/' }))).toMatchObject({ type: 'unavailable' });
});

it.each([
  ['503', (_: IncomingMessage, response: ServerResponse) => response.writeHead(503).end()],
  ['a broken connection', (request: IncomingMessage) => request.socket.destroy()],
])('retries only idempotent requests after %s', async (_, fail) => {
  let calls = 0;
  const url = await server((request, response) => {
    calls += 1;
    if (calls % 2 === 1) fail(request, response);
    else response.end('{"ok":true}');
  });
  const client = clientOf(url);
  expect(await client.request({ method: 'GET', path: '/', isIdempotent: true })).toEqual({ ok: true });
  expect(calls).toBe(2);
  expect(await problem(client.request({ method: 'POST', path: '/', body: {} }))).toMatchObject({ type: 'unavailable' });
  expect(calls).toBe(3);
});

it('sends a conditional change only once, because it may have succeeded despite an error', async () => {
  let calls = 0;
  const url = await server((request) => {
    calls += 1;
    request.socket.destroy();
  });
  const client = clientOf(url);
  const put = () => client.call(anyOperation('PUT /thing', 'internal'), {});
  await problem(put());
  expect(calls).toBe(2);
  const context = { requestId: 'order-44', traceparent: '', ifMatch: '"the version"' };
  await requestContext.run(context, () => problem(put()));
  expect(calls).toBe(3);
});

it('gives up at its deadline without a retry', async () => {
  let calls = 0;
  const url = await server(() => (calls += 1));
  const client = clientOf(url, { timeoutMs: 200 });
  const work = client.request({ method: 'GET', path: '/', isIdempotent: true });
  expect(await problem(work)).toMatchObject({ type: 'deadline-exceeded' });
  expect(calls).toBe(1);
});

it('reports a service that is unavailable', async () => {
  const client = clientOf('http://127.0.0.1:1');
  expect(await problem(client.request({ method: 'GET', path: '/', isIdempotent: true }))).toEqual({
    type: 'unavailable',
    detail: 'This cannot be answered right now. Try again in a moment.',
  });
});

it('reuses connections and renews them after renewAfterMs', async () => {
  const sockets = new Set<unknown>();
  const url = await server((request, response) => {
    sockets.add(request.socket);
    response.end('{}');
  });
  const client = clientOf(url, { renewAfterMs: 60_000 });
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
