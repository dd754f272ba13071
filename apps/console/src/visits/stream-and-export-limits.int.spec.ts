import { randomUUID } from 'node:crypto';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import { READ_POOL_SIZE, READ_DATA_SOURCE } from '#libs/database';
import type { DataSource } from 'typeorm';
import { App } from '../../../../test/kit/app.js';
import { onlyInPostgres } from '../../../../test/kit/visit-store.js';
import '../../../../test/kit/dispose-all.js';
import { until } from '../../../../test/kit/instance.js';
import { storeVisits } from '../../../../test/kit/stored-visits.js';
import { ExportLimiter, StreamLimits } from './stream-limits.js';
import { VisitExportService } from './visit-export.service.js';
import { VisitStreamService } from './visit-stream.service.js';

const NOW = Date.parse('2026-11-21T08:31:05Z');

let app: App;
let projectId: string;
beforeAll(async () => {
  app = await App.start({
    clock: () => NOW,
    settings: { MAX_STREAMS_PER_KEY: 2, MAX_STREAMS_PER_PROJECT: 9, MAX_STREAMS: 9, MAX_EXPORTS: 3 },
  });
  await app.nest.listen(0, '127.0.0.1');
  projectId = (await app.api('POST', '/projects', { name: 'Shop' })).body.id;
  // More data than a connection's buffers can hold.
  for (let batch = 0; batch < 10; batch += 1) {
    const visits = Array.from({ length: 2_000 }, (_, index) => ({
      at: new Date(NOW - index * 1_000).toISOString(),
      path: `/${'x'.repeat(1_000)}`,
    }));
    await storeVisits(app.database.dataSource, projectId, NOW, visits);
  }
});

function openRequest(path: string): ClientRequest {
  const { port } = app.nest.getHttpServer().address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/api/projects/${projectId}/visits/${path}`;
  return get(url, { agent: false, headers: { authorization: `Bearer ${app.apiKey}` } });
}

/** Opens a response without reading its body. */
const open = (path: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    openRequest(path).on('response', resolve).on('error', reject);
  });

it("limits an API key's streams and frees the slots of closed streams", async () => {
  const limits = app.nest.get(StreamLimits);
  const [first, second] = [await open('stream'), await open('stream')];
  expect([first.statusCode, second.statusCode]).toEqual([200, 200]);
  const rejected = await app.api('GET', `/projects/${projectId}/visits/stream`);
  expect(rejected).toMatchObject({
    status: 429,
    headers: { 'retry-after': '30' },
    body: { detail: expect.stringContaining('this API key has 2 live streams open') },
  });
  first.destroy();
  await until(() => limits.size === 1, { condition: 'the slot is freed' });
  // Failed requests don't occupy a slot, whether they fail before or after acquiring one.
  expect((await app.api('GET', `/projects/${projectId}/visits/stream?no_such=1`)).status).toBe(422);
  expect((await app.api('GET', `/projects/${randomUUID()}/visits/stream`)).status).toBe(404);
  await until(() => limits.size === 1, { condition: 'the slots of rejected requests are freed' });
  (await open('stream')).destroy();
  second.destroy();
  await until(() => limits.size === 0, { condition: 'all slots are freed' });
});

it("doesn't start a stream for a client that has disconnected", async () => {
  const limits = app.nest.get(StreamLimits);
  const streams = app.nest.get(VisitStreamService);
  const startPosition = streams.startPosition.bind(streams);
  const watchSpy = jest.spyOn(streams, 'watch');
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const asked = jest.spyOn(streams, 'startPosition').mockImplementation(async (...asked) => {
    await held;
    return startPosition(...asked);
  });
  const request = openRequest('stream').on('error', () => undefined);
  await until(() => asked.mock.calls.length === 1, { condition: 'the request has arrived' });
  request.destroy();
  await until(() => limits.size === 0, { condition: 'the slot is freed' });
  release();
  await asked.mock.results[0]!.value;
  expect((await app.api('GET', `/projects/${projectId}/visits?limit=1`)).status).toBe(200);
  expect(watchSpy).not.toHaveBeenCalled();
  asked.mockRestore();
  watchSpy.mockRestore();
});

it('limits concurrent exports and frees the slots of finished exports', async () => {
  const exports = app.nest.get(ExportLimiter);
  const [first, second] = [await open('export'), await open('export')];
  expect([first.statusCode, second.statusCode]).toEqual([200, 200]);
  expect(await app.api('GET', `/projects/${projectId}/visits/export`)).toMatchObject({
    status: 429,
    headers: { 'retry-after': '10' },
    body: { detail: expect.stringContaining('you already have 2 running') },
  });
  first.destroy();
  second.destroy();
  await until(() => exports.size === 0, { condition: 'both slots are freed' });
  expect((await app.api('GET', `/projects/${projectId}/visits/export`)).status).toBe(200);
  await until(() => exports.size === 0, { condition: 'the slot of the finished export is freed' });
});

it("doesn't start an export for a HEAD request", async () => {
  const openSpy = jest.spyOn(app.nest.get(VisitExportService), 'open');
  const response = await app.nest.inject({
    method: 'HEAD',
    url: `/api/projects/${projectId}/visits/export`,
    headers: { authorization: `Bearer ${app.apiKey}` },
  });
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, expect.stringContaining('text/csv')]);
  expect(openSpy).not.toHaveBeenCalled();
  openSpy.mockRestore();
});

onlyInPostgres(() => {
  it('stores visits and signs people in while all read connections are in use', async () => {
    const reading = app.nest.get<DataSource>(READ_DATA_SOURCE);
    const held = await Promise.all(
      Array.from({ length: READ_POOL_SIZE }, async () => {
        const runner = reading.createQueryRunner();
        await runner.connect();
        return runner;
      }),
    );
    // These reads wait for a connection and then fail.
    const timeline = app.api('GET', `/projects/${projectId}/visits`);
    const exported = app.api('GET', `/projects/${projectId}/visits/export`);
    const visit = { request_path: '/', request_method: 'GET', request_headers: {} };
    expect((await app.post('/visits', visit)).status).toBe(204);
    const account = { email: 'a@site.example', password: 'not-the-password-of-anybody' };
    expect((await app.send('POST', '/api/session', account, {})).status).toBe(401);
    expect((await app.api('GET', '/projects')).status).toBe(200);
    expect((await exported).status).toBe(503);
    expect((await timeline).status).toBeGreaterThanOrEqual(503);
    for (const runner of held) await runner.release();
    expect((await app.api('GET', `/projects/${projectId}/visits`)).status).toBe(200);
  });
});
