import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import { TimelineRepository } from '#libs/visit-store';
import { App } from '../../../../test/kit/app.js';
import '../../../../test/kit/dispose-all.js';
import { until } from '../../../../test/kit/instance.js';
import { storeVisits, type StoredVisit } from '../../../../test/kit/stored-visits.js';
import { ExportLimiter } from './stream-limits.js';

const NOW = Date.parse('2026-11-21T08:31:05Z');

let app: App;
beforeAll(async () => {
  app = await App.start({ clock: () => NOW });
  await app.nest.listen(0, '127.0.0.1');
});

async function createProject(visits: readonly StoredVisit[]): Promise<string> {
  const { body } = await app.api('POST', '/projects', { name: 'Shop' });
  await storeVisits(app.database.dataSource, body.id, NOW, visits);
  return body.id as string;
}
const createNumberedVisits = (count: number, visit: Partial<StoredVisit> = {}): StoredVisit[] =>
  Array.from({ length: count }, (_, index) => ({
    at: new Date(NOW - Math.floor(index / 7) * 1_000).toISOString(),
    path: `/${index}`,
    ...visit,
  }));

describe('GET /api/projects/{id}/visits/export', () => {
  it("exports each visit once, in the timeline's order and format", async () => {
    const id = await createProject(createNumberedVisits(2_345));
    const { text, headers, status } = await app.api('GET', `/projects/${id}/visits/export?format=ndjson`);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'content-disposition': 'attachment; filename="shop-visits.ndjson"',
    });
    expect(text.endsWith('}\n')).toBe(true);
    const lines = text.trimEnd().split('\n');
    expect(lines).toHaveLength(2_345);
    const first = (await app.api('GET', `/projects/${id}/visits?limit=1000`)).body.visits;
    expect(lines.slice(0, 1_000).map((line) => JSON.parse(line))).toEqual(first);
    expect(new Set(lines.map((line) => JSON.parse(line).id)).size).toBe(2_345);
  });

  it("applies the timeline's filters to an export and defaults to CSV", async () => {
    const id = await createProject([
      { at: '2026-11-21T08:00Z', path: '/a?x=1,2', agent: 'GPTBot', headers: { 'User-Agent': '=GPTBot "1"' } },
      { at: '2026-11-21T07:00Z', path: '/b', agent: 'GPTBot', status: 404 },
      { at: '2026-11-21T06:00Z', path: '/c', agent: 'ClaudeBot' },
      { at: '2026-11-20T06:00Z', path: '/d', agent: 'GPTBot' },
    ]);
    const { text, headers } = await app.api('GET', `/projects/${id}/visits/export?agent=gptbot&from=2026-11-21`);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    expect(headers['content-disposition']).toBe('attachment; filename="shop-visits-2026-11-21.csv"');
    const [header, ...lines] = text.split('\r\n');
    expect(header).toMatch(/^id,occurred_at,/);
    expect(lines.map((line) => line.replace(/^[^,]+,/, ''))).toEqual([
      `2026-11-21T08:00:00.000Z,2026-11-21T08:31:05.000Z,,not_verifiable,GPTBot,Uncategorized,,,,GET,"/a?x=1,2",200,,,"'=GPTBot ""1""",,,,,,,,,,`,
      `2026-11-21T07:00:00.000Z,2026-11-21T08:31:05.000Z,,not_verifiable,GPTBot,Uncategorized,,,,GET,/b,404,,,,,,,,,,,,,`,
      '',
    ]);
  });

  it('returns only the CSV header, or an empty NDJSON file, if no visit matches', async () => {
    const id = await createProject([]);
    expect((await app.api('GET', `/projects/${id}/visits/export`)).text.split('\r\n')).toHaveLength(2);
    expect((await app.api('GET', `/projects/${id}/visits/export?format=ndjson`)).text).toBe('');
  });

  it.each([
    ['format=xlsx', '/format'],
    ['status=x', '/status'],
    ['limit=5', '/limit'],
    ['cursor=x', '/cursor'],
  ])('rejects an export with the query %s', async (query, pointer) => {
    const id = await createProject([]);
    const { status, body } = await app.api('GET', `/projects/${id}/visits/export?${query}`);
    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
  });

  it('reads visits no faster than the client does, and stops when the client disconnects', async () => {
    const id = await createProject([]);
    for (let batch = 0; batch < 3; batch += 1) {
      const headers = { 'x-padding': 'x'.repeat(60_000) };
      await storeVisits(app.database.dataSource, id, NOW, createNumberedVisits(200, { headers }));
    }
    const exports = app.nest.get(ExportLimiter);
    const page = jest.spyOn(TimelineRepository.prototype, 'page');
    const { port } = app.nest.getHttpServer().address() as AddressInfo;
    const request = get({
      port,
      path: `/api/projects/${id}/visits/export?format=ndjson`,
      headers: { authorization: `Bearer ${app.apiKey}` },
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    // Reading stops once the buffers between server and client are full.
    let [pages, unchangedChecks] = [0, 0];
    await until(
      () => {
        unchangedChecks = page.mock.calls.length === pages ? unchangedChecks + 1 : 0;
        pages = page.mock.calls.length;
        return unchangedChecks > 30;
      },
      { condition: 'reading has stopped' },
    );
    expect(exports.size).toBe(1);
    // A page contains at most four megabytes.
    expect(pages).toBeLessThan(5);
    response.destroy();
    await until(() => exports.size === 0, { condition: 'the export has ended' });
    expect(page.mock.calls.length).toBeLessThanOrEqual(pages + 1);
    page.mockRestore();
  });
});
