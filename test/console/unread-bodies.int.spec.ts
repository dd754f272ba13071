import { gzipSync } from 'node:zlib';
import { CONSOLE_INTERFACE, PUBLIC_INTERFACE } from '#libs/contracts';
import { App } from '../kit/app.js';

const NOBODY = '00000000-0000-4000-8000-000000000000';

let app: App;
beforeAll(async () => {
  app = await App.start();
});
afterAll(() => app.dispose());

const withBodies = [...PUBLIC_INTERFACE.operations, ...CONSOLE_INTERFACE.operations]
  .filter(({ body }) => body !== undefined)
  .map(({ id, method, path, access }) => ({
    id,
    method: method.toUpperCase() as 'POST' | 'PUT' | 'PATCH',
    url: path.replaceAll(/\{\w+\}/g, NOBODY),
    isOpen: access === 'public',
  }));
const open = withBodies.filter(({ isOpen }) => isOpen);
const closed = withBodies.filter(({ isOpen }) => !isOpen);

async function send({ method, url }: (typeof withBodies)[number], headers: object, payload: string | Buffer = '{}') {
  return app.nest.inject({ method, url, headers: { 'content-type': 'application/json', ...headers }, payload });
}

it('knows both kinds', () => {
  expect(open.length).toBeGreaterThan(3);
  expect(closed.length).toBeGreaterThan(20);
});

it.each(closed)('$id asks for a credential before it looks at the body', async (operation) => {
  const faults = [{ 'content-type': 'text/plain' }, { 'content-encoding': 'none' }, { 'content-length': '99999999' }];
  for (const headers of faults) expect((await send(operation, headers)).statusCode).toBe(401);
});

it.each(open)('$id reads 16 KiB, and nothing that is compressed', async (operation) => {
  const compressed = await send(operation, { 'content-encoding': 'gzip' }, gzipSync('{}'));
  expect(compressed.statusCode).toBe(415);
  expect(compressed.json()).toMatchObject({ detail: expect.stringMatching(/without Content-Encoding/) });
  expect((await send(operation, { 'content-length': '16385' })).statusCode).toBe(413);
  expect((await send(operation, {}, `{"name":"${'x'.repeat(16_384)}"}`)).statusCode).toBe(413);
});

it.each([
  [
    '560,000 unknown members',
    `{${Array.from({ length: 560_000 }, (_, index) => `"${index.toString(36)}":0`).join(',')}}`,
  ],
  ['2.4 million arrays', '['.repeat(2_400_000)],
])('spends no more on %s in one compressed body than on a request of its own kind', async (_, text) => {
  const operation = open.find(({ id }) => id === 'setUp')!;
  const body = gzipSync(text);
  const plain = { code: 'x', email: 'somebody@example.com', name: 'x', password: 'correct horse battery' };
  const cost = async (work: () => Promise<unknown>): Promise<number> => {
    const before = process.cpuUsage();
    for (let count = 0; count < 20; count += 1) await work();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const ask = () => send(operation, {}, JSON.stringify(plain));
  await cost(ask);
  const attack = () => send(operation, { 'content-encoding': 'gzip' }, body);
  expect(await cost(attack)).toBeLessThan(3 * (await cost(ask)));
});
