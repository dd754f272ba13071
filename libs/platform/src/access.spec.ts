import { Controller, Get, Module, type Type } from '@nestjs/common';
import { fastify, type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { operation } from '#libs/contracts';
import { anyOperation } from '../../../test/kit/operation.js';
import { allowEverybody, registerAccess } from './access.js';
import { createHttpApp } from './http-app.js';
import { Handle } from './operations/handle.js';
import { PlatformModule } from './platform.module.js';
import { unauthorized } from './problem.js';

const LOGGER = pino({ level: 'silent' });
const SHOWN = anyOperation('GET /shown', 'open');
const CLOSED = anyOperation('GET /closed', 'administrator');

/** Starts and closes an application with a controller and the operations it serves. @returns its Fastify instance */
async function start(controller: Type, served = [SHOWN]): Promise<FastifyInstance> {
  @Module({ imports: [PlatformModule.forRoot(LOGGER)], controllers: [controller] })
  class MadeUpModule {}
  const app = await createHttpApp(MadeUpModule, LOGGER);
  const instance: FastifyInstance = app.getHttpAdapter().getInstance();
  instance.serveOperations(served);
  try {
    await app.init();
    await instance.ready();
    expect((await app.inject('/shown')).statusCode).toBe(200);
  } finally {
    await app.close();
  }
  return instance;
}

@Controller()
class Shown {
  @Handle(SHOWN)
  show(): object {
    return {};
  }
}

describe('an application', () => {
  it('starts if every operation has a route', async () => {
    expect((await start(Shown)).hasRoute({ method: 'GET', url: '/shown' })).toBe(true);
  });

  it('fails to start if a route has no operation', async () => {
    @Controller()
    class Forgotten extends Shown {
      @Get('forgotten')
      forgotten(): object {
        return {};
      }
    }
    await expect(start(Forgotten)).rejects.toThrow('The route GET /forgotten states no operation');
  });

  it('fails to start if an operation has no route, or a route handles an unserved operation', async () => {
    await expect(start(Shown, [SHOWN, CLOSED])).rejects.toThrow('The operation GET /closed (GET /closed) has no route');
    await expect(start(Shown, [])).rejects.toThrow('GET /shown handles GET /shown, which is part of nothing');
  });

  it('fails to start if an access level has no guard', async () => {
    @Controller()
    class Closed extends Shown {
      @Handle(CLOSED)
      closed(): object {
        return {};
      }
    }
    await expect(start(Closed, [SHOWN, CLOSED])).rejects.toThrow('has the access "administrator" without a guard');
  });
});

describe('registerAccess', () => {
  let instance: FastifyInstance;
  const handler = async (): Promise<string> => 'through';
  const statusOf = async (url: string): Promise<number> => (await instance.inject({ url })).statusCode;

  beforeEach(() => {
    instance = fastify();
    registerAccess(instance);
    instance.serveOperations([SHOWN, CLOSED]);
  });
  afterEach(() => instance.close());

  it('runs only the guard of the requested route', async () => {
    instance.guardAccess('administrator', async () => {
      throw unauthorized('Not you.');
    });
    instance.get('/closed', { config: { operation: CLOSED, access: CLOSED.access } }, handler);
    instance.get('/shown', { config: { operation: SHOWN, access: SHOWN.access } }, handler);
    expect([await statusOf('/closed'), await statusOf('/shown'), await statusOf('/nothing')]).toEqual([401, 200, 404]);
  });

  it('opens the routes of a plugin that calls allowEverybody', async () => {
    instance = fastify();
    registerAccess(instance);
    await instance.register(async (scope) => {
      allowEverybody(scope);
      scope.get('/page', handler);
    });
    expect(await statusOf('/page')).toBe(200);
  });

  it('responds with 404 to a route without an access level', async () => {
    instance = fastify();
    instance.addHook('onRequest', async ({ routeOptions }) => void delete routeOptions.config.access);
    registerAccess(instance);
    await instance.register(async (scope) => {
      allowEverybody(scope);
      scope.get('/page', handler);
    });
    expect(await statusOf('/page')).toBe(404);
  });
});

it('rejects a project role on a path without a project, unless the content determines it', () => {
  const more = { ...CLOSED, access: 'member' } as const;
  expect(() => operation(more)).toThrow('requires the member role, but its path contains no project');
  expect(operation({ ...more, isRoleOfContent: true }).access).toBe('member');
});
