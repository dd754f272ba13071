import { Controller, Module, type OnModuleInit } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { pino } from 'pino';
import { gzipSync } from 'node:zlib';
import { anyOperation } from '../../../test/kit/operation.js';
import { Health } from './health.js';
import { createHttpApp } from './http-app.js';
import { Handle, type RequestOf } from './operations/handle.js';
import { PlatformModule } from './platform.module.js';
import { ProblemError } from './problem.js';
import { requestContext } from './request-context.js';

const ECHO = anyOperation('POST /things', 'open', { status: 201 });
const FORWARDED = anyOperation('GET /things/forwarded', 'open', { hasVisitorHeaders: true });
const RAW = anyOperation('POST /things/raw', 'internal', { status: 201, checksBody: 'bytes' });
const BROKEN = anyOperation('GET /things/broken', 'open');
const REFUSED = anyOperation('GET /things/refused', 'open');

@Controller()
class ThingsController {
  @Handle(ECHO)
  echo({ body }: RequestOf<typeof ECHO>): object {
    return { body, context: requestContext.get() };
  }

  @Handle(FORWARDED)
  forwarded(): object {
    return requestContext.get()!;
  }

  @Handle(RAW)
  raw({ raw }: RequestOf<typeof RAW>): object {
    const body = raw.body as Buffer;
    return { isBuffer: Buffer.isBuffer(body), text: body.toString() };
  }

  @Handle(BROKEN)
  broken(): never {
    throw new Error('a secret of the inside');
  }

  @Handle(REFUSED)
  refused(): never {
    throw new ProblemError('conflict', 'It is there already.', { headers: { 'x-hint': 'yes' } });
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
    instance.serveOperations([ECHO, FORWARDED, RAW, BROKEN, REFUSED]);
    await app.init();
    app.getHttpAdapter().getInstance().refuseOtherMethods();
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

  it('ignores the trace headers of a visitor that a proxy forwards', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const { traceparent: own } = (await app.inject({ url: '/things/forwarded', headers: { traceparent } })).json();
    expect(own).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(own.slice(0, 36)).not.toBe(traceparent.slice(0, 36));
  });

  it('passes the decoded bytes to a handler that requires them', async () => {
    const response = await app.inject({
      method: 'POST',
      url: '/things/raw',
      headers: { ...json, 'content-encoding': 'gzip' },
      payload: gzipSync('not json'),
    });
    expect(response.json()).toEqual({ isBuffer: true, text: 'not json' });
  });

  it.each([
    ['GET', '/things/refused', 409, 'It is there already.'],
    ['GET', '/things/broken', 500, 'The request failed; the log has more under its request id.'],
    ['GET', '/nothing', 404, 'No resource has this address.'],
    ['POST', '/nothing', 404, 'No resource has this address.'],
    ['DELETE', '/things', 405, 'This address answers POST only.'],
    ['GET', '/%zz', 400, 'The request cannot be read.'],
  ] as const)('responds to %s %s with a problem of status %i', async (method, url, status, detail) => {
    const response = await app.inject({ method, url });
    expect(response.statusCode).toBe(status);
    expect(response.headers['content-type']).toBe('application/problem+json');
    expect(response.json()).toMatchObject({ status, detail, instance: response.headers['x-request-id'] });
    expect(response.body).not.toContain('inside');
  });

  it('is alive but not ready while a dependency is unavailable', async () => {
    expect((await app.inject('/readyz')).json()).toEqual({ status: 'ok', checks: { thing: 'ok' } });
    health.fault = 'it is away';
    const response = await app.inject('/readyz');
    expect(response.statusCode).toBe(503);
    expect(response.json()).toEqual({ status: 'unavailable', checks: { thing: 'it is away' } });
    expect((await app.inject('/healthz')).statusCode).toBe(200);
    expect((await app.inject('/metrics')).body).toContain('agent_traffic_http_request_seconds_count');
  });
});
