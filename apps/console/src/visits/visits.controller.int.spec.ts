import { DataSource } from 'typeorm';
import { App, type Json } from '../../../../test/kit/app.js';
import '../../../../test/kit/dispose-left-overs.js';
import { storeVisits, type StoredVisit } from '../../../../test/kit/stored-visits.js';

const NOW = Date.parse('2026-11-21T08:31:05Z');
const LONG = `/${'long'.repeat(40)}`;

let app: App;
let path: string;

beforeAll(async () => {
  app = await App.start({ clock: () => NOW });
  const { id } = (await app.api('POST', '/projects', { name: 'Shop' })).body;
  path = `/projects/${id}/visits`;
  const tool = { mcp_request_tool_name: 'search' };
  const visits: Omit<StoredVisit, 'at'>[] = [
    { path: '/a' },
    { path: '/a%b/c' },
    { path: '/a_b', status: 404 },
    { path: '/axb?q=1', status: 206 },
    { path: `${LONG}/1`, status: 503 },
    { path: `${LONG}/2`, extra: tool },
  ];
  const at = (index: number): string => new Date(NOW - (visits.length - index) * 1_000).toISOString();
  const stored = visits.map((visit, index) => ({ at: at(index), ...visit }));
  await storeVisits(app.database.dataSource, id, NOW, stored);
});

async function paths(query: string): Promise<string[]> {
  const { status, body } = await app.api('GET', `${path}?${query}`);
  expect([query, status]).toEqual([query, 200]);
  return body.visits.map(({ visit }: Json) => visit.request_path.replace(LONG, 'LONG')).toReversed();
}

describe('GET /api/projects/{id}/visits', () => {
  it.each([
    ['path=/a', ['/a', '/a%b/c', '/a_b', '/axb?q=1']],
    ['path=/a_', ['/a_b']],
    ['path=/a%25', ['/a%b/c']],
    ['path=/axb&path=/a_b&path=/none', ['/a_b', '/axb?q=1']],
    [`path=${LONG}`, ['LONG/1', 'LONG/2']],
    [`path=${LONG}/2`, ['LONG/2']],
    ['path=', ['/a', '/a%b/c', '/a_b', '/axb?q=1', 'LONG/1', 'LONG/2']],
    ['status=2xx', ['/a', '/a%b/c', '/axb?q=1', 'LONG/2']],
    ['status=404&status=5xx', ['/a_b', 'LONG/1']],
    ['mcp_tool=search', ['LONG/2']],
    ['kind=mcp', ['LONG/2']],
  ])('finds what fits %s', async (query, expected) => {
    expect(await paths(query)).toEqual(expected);
  });

  it('gives up a page that takes too long to find, and says what helps', async () => {
    const runner = app.nest.get(DataSource).createQueryRunner();
    await runner.startTransaction();
    try {
      await runner.query('LOCK TABLE visits IN ACCESS EXCLUSIVE MODE');
      const { status, body } = await app.api('GET', `${path}?kind=mcp`);
      expect([status, body.detail]).toEqual([504, expect.stringContaining('from and to')]);
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
    expect(await paths('kind=mcp')).toEqual(['LONG/2']);
  });
});
