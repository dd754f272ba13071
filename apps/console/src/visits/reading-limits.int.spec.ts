import { randomUUID } from 'node:crypto';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import { READING_CONNECTIONS, READING_DATA_SOURCE } from '#libs/database';
import type { DataSource } from 'typeorm';
import { App } from '../../../../test/kit/app.js';
import '../../../../test/kit/dispose-left-overs.js';
import { until } from '../../../../test/kit/instance.js';
import { storeVisits } from '../../../../test/kit/stored-visits.js';
import { ExportLimits, StreamLimits } from './stream-limits.js';
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
  // More than the buffers of a connection hold.
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

it('limits the streams of a key, and frees the slots of closed ones', async () => {
  const limits = app.nest.get(StreamLimits);
  const [first, second] = [await open('stream'), await open('stream')];
  expect([first.statusCode, second.statusCode]).toEqual([200, 200]);
  const refused = await app.api('GET', `/projects/${projectId}/visits/stream`);
  expect(refused).toMatchObject({
    status: 429,
    headers: { 'retry-after': '30' },
    body: { detail: expect.stringContaining('this API key has 2 live streams open') },
  });
  first.destroy();
  await until(() => limits.size === 1, { what: 'it is given back' });
  // Failed requests occupy no slot, whether they fail before or after acquiring one.
  expect((await app.api('GET', `/projects/${projectId}/visits/stream?no_such=1`)).status).toBe(422);
  expect((await app.api('GET', `/projects/${randomUUID()}/visits/stream`)).status).toBe(404);
  await until(() => limits.size === 1, { what: 'those of refused requests are given back' });
  (await open('stream')).destroy();
  second.destroy();
  await until(() => limits.size === 0, { what: 'all are given back' });
});

it('starts no stream for a client that has disconnected', async () => {
  const limits = app.nest.get(StreamLimits);
  const streams = app.nest.get(VisitStreamService);
  const startPosition = streams.startPosition.bind(streams);
  const watched = jest.spyOn(streams, 'watch');
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const asked = jest.spyOn(streams, 'startPosition').mockImplementation(async (...asked) => {
    await held;
    return startPosition(...asked);
  });
  const request = openRequest('stream').on('error', () => undefined);
  await until(() => asked.mock.calls.length === 1, { what: 'the request has come' });
  request.destroy();
  await until(() => limits.size === 0, { what: 'it is given back' });
  release();
  await asked.mock.results[0]!.value;
  expect((await app.api('GET', `/projects/${projectId}/visits?limit=1`)).status).toBe(200);
  expect(watched).not.toHaveBeenCalled();
  asked.mockRestore();
  watched.mockRestore();
});

it('limits concurrent exports, and frees the slots of ended ones', async () => {
  const exports = app.nest.get(ExportLimits);
  const [first, second] = [await open('export'), await open('export')];
  expect([first.statusCode, second.statusCode]).toEqual([200, 200]);
  expect(await app.api('GET', `/projects/${projectId}/visits/export`)).toMatchObject({
    status: 429,
    headers: { 'retry-after': '10' },
    body: { detail: expect.stringContaining('2 of yours are running') },
  });
  first.destroy();
  second.destroy();
  await until(() => exports.size === 0, { what: 'both are given back' });
  expect((await app.api('GET', `/projects/${projectId}/visits/export`)).status).toBe(200);
  await until(() => exports.size === 0, { what: 'one that was read is given back' });
});

it('starts no export for a HEAD request', async () => {
  const begun = jest.spyOn(app.nest.get(VisitExportService), 'open');
  const answer = await app.nest.inject({
    method: 'HEAD',
    url: `/api/projects/${projectId}/visits/export`,
    headers: { authorization: `Bearer ${app.apiKey}` },
  });
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, expect.stringContaining('text/csv')]);
  expect(begun).not.toHaveBeenCalled();
  begun.mockRestore();
});

it('stores visits and signs people in while all read connections are in use', async () => {
  const reading = app.nest.get<DataSource>(READING_DATA_SOURCE);
  const held = await Promise.all(
    Array.from({ length: READING_CONNECTIONS }, async () => {
      const runner = reading.createQueryRunner();
      await runner.connect();
      return runner;
    }),
  );
  // Reads wait for a connection, then fail.
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
