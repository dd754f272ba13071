import { fastify, type FastifyInstance } from 'fastify';
import { allowEverybody, registerAccess } from './access.js';
import { unauthorized } from './problem.js';

let instance: FastifyInstance;
const handler = async (): Promise<string> => 'through';

beforeEach(() => {
  instance = fastify();
  registerAccess(instance);
});
afterEach(() => instance.close());

const statusOf = async (url: string): Promise<number> => (await instance.inject({ url })).statusCode;

it('does not start with a route that states no access', async () => {
  instance.get('/forgotten', handler);
  await expect(instance.ready()).rejects.toThrow('The route GET /forgotten states no access');
});

it('does not start with an access that nothing guards', async () => {
  instance.post('/closed', { config: { access: 'internal' } }, handler);
  await expect(instance.ready()).rejects.toThrow('The route POST /closed has the access "internal" without a guard');
});

it('asks the guard of the access, and of no other', async () => {
  instance.guardAccess('console', async () => {
    throw unauthorized('Not you.');
  });
  instance.get('/closed', { config: { access: 'console' } }, handler);
  instance.get('/open', { config: { access: 'public' } }, handler);
  expect([await statusOf('/closed'), await statusOf('/open'), await statusOf('/nothing')]).toEqual([401, 200, 404]);
});

it('opens the routes of a plugin where that is said', async () => {
  await instance.register(async (scope) => {
    allowEverybody(scope);
    scope.get('/page', handler);
  });
  expect(await statusOf('/page')).toBe(200);
});
