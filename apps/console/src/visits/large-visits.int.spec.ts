import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TimelineRepository } from '#libs/visit-store';
import { App } from '../../../../test/kit/app.js';
import '../../../../test/kit/dispose-all.js';
import { until } from '../../../../test/kit/instance.js';
import { storeVisits } from '../../../../test/kit/stored-visits.js';

const NOW = Date.parse('2026-11-21T08:31:05.250Z');
const MIB = 2 ** 20;
const VISIT_BYTES = 400_000;
const VISIT_COUNT = 60;

let app: App;
let project: string;
beforeAll(async () => {
  app = await App.start({ clock: () => NOW });
  await app.nest.listen(0, '127.0.0.1');
  project = (await app.api('POST', '/projects', { name: 'Shop' })).body.id;
  for (let first = 0; first < VISIT_COUNT; first += 20) {
    const visits = Array.from({ length: 20 }, (_, index) => ({
      at: new Date(NOW - (first + index) * 1_000).toISOString(),
      path: `/${first + index}`,
      extra: { acp_response_body: { text: 'x'.repeat(VISIT_BYTES) } },
    }));
    await storeVisits(app.database.dataSource, project, NOW, visits);
  }
});

const paths = Array.from({ length: VISIT_COUNT }, (_, index) => `/${index}`);
const getPath = ({ visit }: { visit: { request_path: string } }): string => visit.request_path;

it.each([
  ['older', 'next_cursor', paths],
  ['newer', 'previous_cursor', paths.toReversed()],
])('limits pages of large visits to a few megabytes when paging to %s visits', async (_, cursorName, expected) => {
  const receivedPaths: string[] = [];
  let cursor = '';
  if (cursorName === 'previous_cursor') {
    const { body } = await app.api(
      'GET',
      `/projects/${project}/visits?limit=1&to=${new Date(NOW - (VISIT_COUNT - 1) * 1_000 + 1).toISOString()}`,
    );
    expect(body.visits.map(getPath)).toEqual([paths.at(-1)]);
    receivedPaths.push(paths.at(-1)!);
    cursor = body.previous_cursor;
  }
  for (let page = 0; receivedPaths.length < VISIT_COUNT && page < VISIT_COUNT; page += 1) {
    const query = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { text, body } = await app.api('GET', `/projects/${project}/visits?limit=1000${query}`);
    expect(text.length).toBeLessThan(4 * MIB + 2 * VISIT_BYTES);
    const visits: string[] = body.visits.map(getPath);
    receivedPaths.push(...(cursorName === 'next_cursor' ? visits : visits.toReversed()));
    cursor = body[cursorName];
  }
  expect(receivedPaths).toEqual(expected);
});

it('reads large visits for a stream about a megabyte at a time', async () => {
  const { visits, hasMore } = await app.nest.get(TimelineRepository).readAfter(project, [], 200);
  expect(hasMore).toBe(true);
  expect(visits.length).toBeGreaterThan(0);
  expect(visits.length * VISIT_BYTES).toBeLessThan(MIB + 2 * VISIT_BYTES);
});

it('streams many large visits at once without disconnecting the client', async () => {
  const { port } = app.nest.getHttpServer().address() as AddressInfo;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(
      {
        port,
        path: `/api/projects/${project}/visits/stream?last_event_id=0`,
        headers: { authorization: `Bearer ${app.apiKey}` },
      },
      resolve,
    ).on('error', reject);
  });
  let [received, remainder, isBroken] = [0, '', false];
  response.on('data', (chunk: Buffer) => {
    const parts = (remainder + chunk.toString('latin1')).split('event: visit\n');
    received += parts.length - 1;
    remainder = parts.at(-1)!.slice(-20);
  });
  response.on('error', () => (isBroken = true));
  await until(() => received >= VISIT_COUNT || isBroken, { condition: 'all visits have arrived' });
  expect(isBroken).toBe(false);
  response.destroy();
});

it('exports each large visit once', async () => {
  const { text } = await app.api('GET', `/projects/${project}/visits/export?format=ndjson`);
  expect(
    text
      .trimEnd()
      .split('\n')
      .map((line) => getPath(JSON.parse(line))),
  ).toEqual(paths);
});
