import { Controller, Module, type OnModuleInit } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { pino } from 'pino';
import { gzipSync } from 'node:zlib';
import { createOperation } from '../../../test/kit/operation.js';
import { Health } from './health.js';
import { createHttpApp } from './http-app.js';
import { Handle, type RequestOf } from './operations/handle.js';
import { PlatformModule } from './platform.module.js';
import { ProblemError } from './problem.js';
import { requestContext } from './request-context.js';

const ECHO_OPERATION = createOperation('POST /things', 'open', { status: 201 });
const FORWARDED_OPERATION = createOperation('GET /things/forwarded', 'open', { hasVisitorHeaders: true });
const RAW_OPERATION = createOperation('POST /things/raw', 'internal', { status: 201, checksBody: 'bytes' });
const FAILING_OPERATION = createOperation('GET /things/broken', 'open');
const REJECTED_OPERATION = createOperation('GET /things/rejected', 'open');

@Controller()
class ThingsController {
  @Handle(ECHO_OPERATION)
  echo({ body }: RequestOf<typeof ECHO_OPERATION>): object {
    return { body, context: requestContext.get() };
  }

  @Handle(FORWARDED_OPERATION)
  forwarded(): object {
    return requestContext.get()!;
  }

  @Handle(RAW_OPERATION)
  raw({ raw }: RequestOf<typeof RAW_OPERATION>): object {
    const body = raw.body as Buffer;
    return { isBuffer: Buffer.isBuffer(body), text: body.toString() };
  }

  @Handle(FAILING_OPERATION)
  fail(): never {
    throw new Error('internal secret');
  }

  @Handle(REJECTED_OPERATION)
  rejected(): never {
    throw new ProblemError('conflict', 'The thing already exists.', { headers: { 'x-hint': 'yes' } });
  }
}

const health = { fault: null as string | null };

@Module({ controllers: [ThingsController] })
class ThingsModule implements OnModuleInit {
  constructor(private readonly health: Health) {}

  onModuleInit(): void {
    this.health.register('thing', () => health.fault);
  }
}

@Module({ imports: [PlatformModule.forRoot(pino({ level: 'silent' })), ThingsModule] })
class RootModule {}

describe('createHttpApp', () => {
  let app: NestFastifyApplication;

  beforeAll(async () => {
    app = await createHttpApp(RootModule, pino({ level: 'silent' }));
    const instance = app.getHttpAdapter().getInstance();
    instance.guardAccess('internal', async () => {});
    instance.serveOperations([
      ECHO_OPERATION,
      FORWARDED_OPERATION,
      RAW_OPERATION,
      FAILING_OPERATION,
      REJECTED_OPERATION,
    ]);
    await app.init();
    app.getHttpAdapter().getInstance().rejectOtherMethods();
    await app.getHttpAdapter().getInstance().ready();
  });
  afterAll(() => app.close());

  const json = { 'content-type': 'application/json' };

  it('parses bodies and provides the request context to the handler', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const response = await app.inject({
      method: 'POST',
      url: '/things',
      headers: { ...json, 'x-request-id': 'abc-1', traceparent },
      payload: '{"a":1}',
    });
    expect(response.headers['x-request-id']).toBe('abc-1');
    expect(response.json()).toEqual({ body: { a: 1 }, context: { requestId: 'abc-1', traceparent } });
  });

  it("ignores a visitor's trace headers that a proxy forwards", async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const { traceparent: requestTraceparent } = (
      await app.inject({ url: '/things/forwarded', headers: { traceparent } })
    ).json();
    expect(requestTraceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(requestTraceparent.slice(0, 36)).not.toBe(traceparent.slice(0, 36));
  });

  it('passes the decoded bytes to a handler that validates the body itself', async () => {
    const response = await app.inject({
      method: 'POST',
      url: '/things/raw',
      headers: { ...json, 'content-encoding': 'gzip' },
      payload: gzipSync('not json'),
    });
    expect(response.json()).toEqual({ isBuffer: true, text: 'not json' });
  });

  it.each([
    ['GET', '/things/rejected', 409, 'The thing already exists.'],
    ['GET', '/things/broken', 500, 'The request failed. Search the logs for the request ID for details.'],
    ['GET', '/nothing', 404, 'No resource exists at this address.'],
    ['POST', '/nothing', 404, 'No resource exists at this address.'],
    ['DELETE', '/things', 405, 'This address only supports POST.'],
    ['GET', '/%zz', 400, 'The request is malformed.'],
  ] as const)('responds to %s %s with a %i problem document', async (method, url, status, detail) => {
    const response = await app.inject({ method, url });
    expect(response.statusCode).toBe(status);
    expect(response.headers['content-type']).toBe('application/problem+json');
    expect(response.json()).toMatchObject({ status, detail, instance: response.headers['x-request-id'] });
    expect(response.body).not.toContain('internal secret');
  });

  it('reports that the app is alive but not ready while a dependency is unavailable', async () => {
    expect((await app.inject('/readyz')).json()).toEqual({ status: 'ok', checks: { thing: 'ok' } });
    health.fault = 'unreachable';
    const response = await app.inject('/readyz');
    expect(response.statusCode).toBe(503);
    expect(response.json()).toEqual({ status: 'unavailable', checks: { thing: 'unreachable' } });
    expect((await app.inject('/healthz')).statusCode).toBe(200);
    expect((await app.inject('/metrics')).body).toContain('agent_traffic_http_request_seconds_count');
  });
});
