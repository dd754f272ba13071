import { Readable } from 'node:stream';
import { jest } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { CONSOLE_INTERFACE, PUBLIC_INTERFACE } from '#libs/contracts';
import { App } from '../kit/app.js';

const NOBODY = '00000000-0000-4000-8000-000000000000';

let app: App;
beforeAll(async () => {
  app = await App.start();
});
afterAll(() => app.dispose());

const operationsWithBodies = [...PUBLIC_INTERFACE.operations, ...CONSOLE_INTERFACE.operations]
  .filter(({ body }) => body !== undefined)
  .map(({ id, method, path, access }) => ({
    id,
    method: method.toUpperCase() as 'POST' | 'PUT' | 'PATCH',
    url: path.replaceAll(/\{\w+\}/g, NOBODY),
    isOpen: access === 'public',
  }));
const publicOperations = operationsWithBodies.filter(({ isOpen }) => isOpen);
const protectedOperations = operationsWithBodies.filter(({ isOpen }) => !isOpen);

async function send(
  { method, url }: (typeof operationsWithBodies)[number],
  headers: object,
  payload: string | Readable | Buffer = '{}',
) {
  return app.nest.inject({ method, url, headers: { 'content-type': 'application/json', ...headers }, payload });
}

it('tests both public and authenticated operations', () => {
  expect(publicOperations.length).toBeGreaterThan(3);
  expect(protectedOperations.length).toBeGreaterThan(20);
});

it.each(protectedOperations)('requires credentials in $id before checking the body', async (operation) => {
  const faults = [{ 'content-type': 'text/plain' }, { 'content-encoding': 'none' }, { 'content-length': '99999999' }];
  for (const headers of faults) expect((await send(operation, headers)).statusCode).toBe(401);
});

it.each(publicOperations)('accepts only uncompressed bodies up to 16 KiB in $id', async (operation) => {
  const compressed = await send(operation, { 'content-encoding': 'gzip' }, gzipSync('{}'));
  expect(compressed.statusCode).toBe(415);
  expect(compressed.json()).toMatchObject({ detail: expect.stringMatching(/without Content-Encoding/) });
  expect((await send(operation, { 'content-length': '16385' })).statusCode).toBe(413);
  expect((await send(operation, {}, `{"name":"${'x'.repeat(16_384)}"}`)).statusCode).toBe(413);
});

it.each(publicOperations)('rejects compressed bodies in $id without reading them', async (operation) => {
  const read = jest.fn();
  const body = new Readable({ read });
  const { statusCode } = await send(operation, { 'content-encoding': 'gzip' }, body);
  expect([statusCode, read.mock.calls]).toEqual([415, []]);
});
