import { Controller, Get, Module, type Type } from '@nestjs/common';
import { fastify, type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { operation } from '#libs/contracts';
import { createOperation } from '../../../test/kit/operation.js';
import { allowAnyone, registerAccess } from './access.js';
import { createHttpApp } from './http-app.js';
import { Handle } from './operations/handle.js';
import { PlatformModule } from './platform.module.js';
import { unauthorized } from './problem.js';

const LOGGER = pino({ level: 'silent' });
const OPEN_OPERATION = createOperation('GET /shown', 'open');
const RESTRICTED_OPERATION = createOperation('GET /closed', 'administrator');

/** Starts an application, requests `/shown` and closes it. @returns The closed application's Fastify instance. */
async function start(controller: Type, servedOperations = [OPEN_OPERATION]): Promise<FastifyInstance> {
  @Module({ imports: [PlatformModule.forRoot(LOGGER)], controllers: [controller] })
  class SampleModule {}
  const app = await createHttpApp(SampleModule, LOGGER);
  const instance: FastifyInstance = app.getHttpAdapter().getInstance();
  instance.serveOperations(servedOperations);
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
class OpenController {
  @Handle(OPEN_OPERATION)
  show(): object {
    return {};
  }
}

describe('createHttpApp', () => {
  it('starts if each operation has a route', async () => {
    expect((await start(OpenController)).hasRoute({ method: 'GET', url: '/shown' })).toBe(true);
  });

  it('fails to start if a route has no operation', async () => {
    @Controller()
    class UndeclaredController extends OpenController {
      @Get('forgotten')
      forgotten(): object {
        return {};
      }
    }
    await expect(start(UndeclaredController)).rejects.toThrow('The route GET /forgotten has no operation');
  });

  it("fails to start if an operation has no route or a route's operation isn't served", async () => {
    await expect(start(OpenController, [OPEN_OPERATION, RESTRICTED_OPERATION])).rejects.toThrow(
      'The operation GET /closed (GET /closed) has no route',
    );
    await expect(start(OpenController, [])).rejects.toThrow(
      "GET /shown handles GET /shown, which this process doesn't serve",
    );
  });

  it('fails to start if an access level has no guard', async () => {
    @Controller()
    class RestrictedController extends OpenController {
      @Handle(RESTRICTED_OPERATION)
      closed(): object {
        return {};
      }
    }
    await expect(start(RestrictedController, [OPEN_OPERATION, RESTRICTED_OPERATION])).rejects.toThrow(
      'requires the access level "administrator", which has no guard',
    );
  });
});

describe('registerAccess', () => {
  let instance: FastifyInstance;
  const handler = async (): Promise<string> => 'through';
  const requestStatus = async (url: string): Promise<number> => (await instance.inject({ url })).statusCode;

  beforeEach(() => {
    instance = fastify();
    registerAccess(instance);
    instance.serveOperations([OPEN_OPERATION, RESTRICTED_OPERATION]);
  });
  afterEach(() => instance.close());

  it("runs only the requested route's guard", async () => {
    instance.guardAccess('administrator', async () => {
      throw unauthorized('Not you.');
    });
    instance.get(
      '/closed',
      { config: { operation: RESTRICTED_OPERATION, access: RESTRICTED_OPERATION.access } },
      handler,
    );
    instance.get('/shown', { config: { operation: OPEN_OPERATION, access: OPEN_OPERATION.access } }, handler);
    expect([await requestStatus('/closed'), await requestStatus('/shown'), await requestStatus('/nothing')]).toEqual([
      401, 200, 404,
    ]);
  });

  it('opens all routes in a plugin that calls allowAnyone', async () => {
    instance = fastify();
    registerAccess(instance);
    await instance.register(async (scope) => {
      allowAnyone(scope);
      scope.get('/page', handler);
    });
    expect(await requestStatus('/page')).toBe(200);
  });

  it('responds with 404 to a route without an access level', async () => {
    instance = fastify();
    instance.addHook('onRequest', async ({ routeOptions }) => void delete routeOptions.config.access);
    registerAccess(instance);
    await instance.register(async (scope) => {
      allowAnyone(scope);
      scope.get('/page', handler);
    });
    expect(await requestStatus('/page')).toBe(404);
  });
});

it('operation rejects a project role if neither the path nor the content identifies a project', () => {
  const memberOperation = { ...RESTRICTED_OPERATION, access: 'member' } as const;
  expect(() => operation(memberOperation)).toThrow('requires the member role, but its path does not contain a project');
  expect(operation({ ...memberOperation, isRoleOfContent: true }).access).toBe('member');
});
