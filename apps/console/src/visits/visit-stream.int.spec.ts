import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listVisits, UNTIMED_FILTERS } from '#libs/contracts';
import { readQuery } from '#libs/platform';
import { createMatcher, TimelineRepository } from '#libs/visit-store';
import { App } from '../../../../test/kit/app.js';
import '../../../../test/kit/dispose-all.js';
import { FILTER_QUERIES, FILTERED_VISITS, NOW, toParameters } from '../../../../test/kit/filter-examples.js';
import { until } from '../../../../test/kit/instance.js';
import { storeVisits, type StoredVisit } from '../../../../test/kit/stored-visits.js';
import { AgentBehaviorsRepository } from './agent-behaviors.repository.js';
import { VisitStreamService } from './visit-stream.service.js';

const at = (secondsAgo: number): string => new Date(NOW - secondsAgo * 1_000).toISOString();
let app: App;
beforeAll(async () => {
  app = await App.start({ clock: () => NOW });
  await app.nest.listen(0, '127.0.0.1');
});

async function newProject(visits: readonly StoredVisit[]): Promise<string> {
  const { body } = await app.api('POST', '/projects', { name: 'Shop' });
  if (visits.length > 0) await storeVisits(app.database.dataSource, body.id, NOW, visits);
  return body.id as string;
}

describe('filters', () => {
  it('match the same visits in memory as in the database', async () => {
    const id = await newProject(FILTERED_VISITS);
    const timeline = app.nest.get(TimelineRepository);
    const behaviors = app.nest.get(AgentBehaviorsRepository);
    const { visits: all } = await timeline.readAfter(id, [], 1_000);
    expect(all).toHaveLength(FILTERED_VISITS.length);
    const selective = new Set<string>();
    for (const text of FILTER_QUERIES) {
      const query = await behaviors.resolve(readQuery(listVisits, toParameters(text)));
      const matches = createMatcher(query) ?? (() => true);
      const sqlMatches = (await timeline.page(id, { ...query, limit: 1_000 })).documents.toSorted();
      const memoryMatches = all.filter(matches).map(({ document }) => document);
      expect([text, memoryMatches.toSorted()]).toEqual([text, sqlMatches]);
      const names = new Set(new URLSearchParams(text).keys());
      if (names.size === 1 && sqlMatches.length > 0 && sqlMatches.length < FILTERED_VISITS.length)
        selective.add([...names][0]!);
    }
    // Every filter must match some visits, but not all. Otherwise, both sides could miss values that aren't stored.
    const filters = Object.keys(UNTIMED_FILTERS).filter((name) => !name.startsWith('not_'));
    expect(filters.filter((name) => !selective.has(name))).toEqual([]);
  });
});

describe('GET /api/projects/{id}/visits/stream', () => {
  async function openStream(id: string, query: string) {
    const { port } = app.nest.getHttpServer().address() as AddressInfo;
    const path = `/api/projects/${id}/visits/stream?${query}`;
    const response = await new Promise<IncomingMessage>((resolve) => {
      get({ port, path, headers: { authorization: `Bearer ${app.apiKey}` } }, resolve);
    });
    let text = '';
    response.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', () => undefined);
    return { text: () => text, hasEnded: () => response.complete, end: () => response.destroy() };
  }
  const sumVisits = (text: string, event: string): number =>
    [...text.matchAll(new RegExp(`event: ${event}\\n(?:id: [\\d.]+\\n)?data: {"visits":(\\d+)}`, 'g'))].reduce(
      (total, [, visits]) => total + Number(visits),
      0,
    );
  const extractPaths = (text: string): string[] =>
    [...text.matchAll(/"request_path":"([^"]+)"/g)].map(([, path]) => path!);

  it('sends every visit that matches the filters and reports the number of other visits', async () => {
    const id = await newProject([]);
    const stream = await openStream(id, 'path=/rare&max_per_second=20');
    await until(() => stream.text().includes('event: opened'), { condition: 'the stream is open' });
    const visits = Array.from({ length: 600 }, (_, index) => ({
      at: at(0),
      path: index % 60 === 59 ? `/rare/${index}` : `/often/${index}`,
    }));
    await storeVisits(app.database.dataSource, id, NOW, visits);
    await until(() => sumVisits(stream.text(), 'filtered') === 590, { condition: 'the other visits are counted' });
    expect(extractPaths(stream.text())).toEqual(
      visits.map(({ path }) => path).filter((path) => path.startsWith('/rare')),
    );
    expect(sumVisits(stream.text(), 'skipped')).toBe(0);
    stream.end();
  });

  it('applies the rate cap only to matching visits', async () => {
    const id = await newProject([]);
    const stream = await openStream(id, 'status=404&max_per_second=3');
    await until(() => stream.text().includes('event: opened'), { condition: 'the stream is open' });
    const visits = Array.from({ length: 50 }, (_, index) => ({ at: at(0), status: index % 5 === 0 ? 404 : 200 }));
    await storeVisits(app.database.dataSource, id, NOW, visits);
    await until(() => sumVisits(stream.text(), 'filtered') === 40, { condition: 'the other visits are counted' });
    expect([extractPaths(stream.text()).length, sumVisits(stream.text(), 'skipped')]).toEqual([3, 7]);
    stream.end();
  });

  it.each([
    ['status=x', '/status'],
    ['result=sure', '/result'],
    ['max_per_second=0', '/max_per_second'],
    ['last_event_id=x', '/last_event_id'],
    ['last_event_id=1.', '/last_event_id'],
    ['limit=5', '/limit'],
  ])('rejects a stream with the query %s', async (query, pointer) => {
    const id = await newProject([]);
    const { status, body } = await app.api('GET', `/projects/${id}/visits/stream?${query}`);
    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
  });

  it('ends streams on shutdown and rejects new ones', async () => {
    const id = await newProject([]);
    const stream = await openStream(id, '');
    await until(() => stream.text().includes('event: opened'), { condition: 'the stream is open' });
    app.nest.get(VisitStreamService).beforeApplicationShutdown();
    await until(() => stream.hasEnded(), { condition: 'the stream has ended' });
    expect((await app.api('GET', `/projects/${id}/visits/stream`)).status).toBe(503);
  });
});
