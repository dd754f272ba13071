import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TimelineRepository } from '#libs/visit-store';
import { App } from '../../../../test/kit/app.js';
import '../../../../test/kit/dispose-left-overs.js';
import { until } from '../../../../test/kit/instance.js';
import { storeVisits } from '../../../../test/kit/stored-visits.js';

const NOW = Date.parse('2026-11-21T08:31:05.250Z');
const MIB = 2 ** 20;
const VISIT_BYTES = 400_000;
const COUNT = 60;

let app: App;
let project: string;
beforeAll(async () => {
  app = await App.start({ clock: () => NOW });
  await app.nest.listen(0, '127.0.0.1');
  project = (await app.api('POST', '/projects', { name: 'Shop' })).body.id;
  for (let first = 0; first < COUNT; first += 20) {
    const visits = Array.from({ length: 20 }, (_, index) => ({
      at: new Date(NOW - (first + index) * 1_000).toISOString(),
      path: `/${first + index}`,
      extra: { acp_response_body: { text: 'x'.repeat(VISIT_BYTES) } },
    }));
    await storeVisits(app.database.dataSource, project, NOW, visits);
  }
});

const paths = Array.from({ length: COUNT }, (_, index) => `/${index}`);
const pathOf = ({ visit }: { visit: { request_path: string } }): string => visit.request_path;

it.each([
  ['older', 'next_cursor', paths],
  ['newer', 'previous_cursor', paths.toReversed()],
])('limits pages of large visits to a few megabytes, towards %s ones', async (_, member, expected) => {
  const found: string[] = [];
  let cursor = '';
  if (member === 'previous_cursor') {
    const { body } = await app.api(
      'GET',
      `/projects/${project}/visits?limit=1&to=${new Date(NOW - (COUNT - 1) * 1_000 + 1).toISOString()}`,
    );
    expect(body.visits.map(pathOf)).toEqual([paths.at(-1)]);
    found.push(paths.at(-1)!);
    cursor = body.previous_cursor;
  }
  for (let page = 0; found.length < COUNT && page < COUNT; page += 1) {
    const query = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { text, body } = await app.api('GET', `/projects/${project}/visits?limit=1000${query}`);
    expect(text.length).toBeLessThan(4 * MIB + 2 * VISIT_BYTES);
    const visits: string[] = body.visits.map(pathOf);
    found.push(...(member === 'next_cursor' ? visits : visits.toReversed()));
    cursor = body[member];
  }
  expect(found).toEqual(expected);
});

it('reads large visits for streams about a megabyte at a time', async () => {
  const { visits, hasMore } = await app.nest.get(TimelineRepository).after(project, [], 200);
  expect(hasMore).toBe(true);
  expect(visits.length).toBeGreaterThan(0);
  expect(visits.length * VISIT_BYTES).toBeLessThan(MIB + 2 * VISIT_BYTES);
});

it('streams many large visits at once without disconnecting', async () => {
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
  let [received, rest, isBroken] = [0, '', false];
  response.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString('latin1')).split('event: visit\n');
    received += parts.length - 1;
    rest = parts.at(-1)!.slice(-20);
  });
  response.on('error', () => (isBroken = true));
  await until(() => received >= COUNT || isBroken, { what: 'all have come' });
  expect(isBroken).toBe(false);
  response.destroy();
});

it('exports each large visit once', async () => {
  const { text } = await app.api('GET', `/projects/${project}/visits/export?format=ndjson`);
  expect(
    text
      .trimEnd()
      .split('\n')
      .map((line) => pathOf(JSON.parse(line))),
  ).toEqual(paths);
});
