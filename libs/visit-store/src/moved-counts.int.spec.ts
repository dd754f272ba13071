import { jest } from '@jest/globals';
import { startTestDatabase, type TestDatabase } from '../../../test/kit/database.js';
import type { CountedValues } from './visit-row.js';
import { NO_AGENT } from './visit-counts.js';
import { OTHER_VALUE } from './top-counts.js';
import { MovedCountsRepository } from './moved-counts.repository.js';

const PROJECT = '019a0000-0000-7000-8000-000000000001';
const AGENT = '3c00155e-c06b-5ee8-a7c8-57e6328803d2';
const OTHER_AGENT = '5b0c4f3e-0000-5000-8000-000000000001';
const BUCKET = '2026-11-21T10:15:00.000Z';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());
afterEach(() => database.dataSource.query(`TRUNCATE visit_counts, visit_top_counts, visit_open_hours`));

const row = (changes: Partial<CountedValues> = {}): CountedValues => ({
  projectId: PROJECT,
  occurredAt: Date.parse('2026-11-21T10:20:00.000Z'),
  agentId: null,
  agentType: null,
  result: 'unknown_agent',
  path: '/a',
  page: '/a',
  status: 200,
  dimensions: [],
  ...changes,
});
const agentVisit = { agentId: AGENT, agentType: 'Scraper', result: 'verified' };

async function insertTopCounts(
  tops: [dimension: string, value: string, shard: number, visits: number][],
): Promise<void> {
  for (const [dimension, value, shard, visits] of tops) {
    await database.dataSource.query(
      `INSERT INTO visit_top_counts (project_id, bucket, dimension, value, shard, visits) VALUES ($1, $2, $3, $4, $5, $6)`,
      [PROJECT, BUCKET, dimension, value, shard, visits],
    );
  }
}
async function insertVisitCounts(agentId: string, result: string, byShard: number[]): Promise<void> {
  for (const [shard, visits] of byShard.entries()) {
    // The application never stores a count of zero.
    if (visits === 0) continue;
    await database.dataSource.query(
      `INSERT INTO visit_counts (project_id, bucket, agent_id, agent_type, result, shard, visits, last_at)
       VALUES ($1, $2, $3, '', $4, $5, $6, $2)`,
      [PROJECT, BUCKET, agentId, result, shard, visits],
    );
  }
}
const move = (before: CountedValues, after: CountedValues, times = 1): Promise<void> =>
  database.dataSource.transaction((transaction) =>
    new MovedCountsRepository().move(
      transaction,
      Array.from({ length: times }, () => ({ before, after })),
    ),
  );
const tops = async (): Promise<unknown[]> =>
  (
    await database.dataSource.query(
      `SELECT dimension, value, shard, visits::int AS visits FROM visit_top_counts ORDER BY 1, 2, 3`,
    )
  ).map(Object.values);

it('subtracts visits across shards and adds them to the first shard', async () => {
  await insertVisitCounts(NO_AGENT, 'unknown_agent', [1, 0, 2]);
  await insertTopCounts([
    ['page', '/a', 0, 1],
    ['page', '/a', 2, 2],
    ['status', '200', 0, 3],
  ]);
  await move(row(), row(agentVisit), 2);
  expect(
    await database.dataSource.query(
      `SELECT agent_type, result, shard, visits::int AS visits FROM visit_counts ORDER BY 1, 3`,
    ),
  ).toEqual([
    { agent_type: '', result: 'unknown_agent', shard: 2, visits: 1 },
    { agent_type: 'Scraper', result: 'verified', shard: 0, visits: 2 },
  ]);
  expect(await tops()).toEqual([
    ['agent_page', '/a', 0, 2],
    ['agent_status', '200', 0, 2],
    ['page', '/a', 2, 1],
    ['status', '200', 0, 1],
  ]);
  expect(await database.dataSource.query(`SELECT hour, shard FROM visit_open_hours`)).toEqual([
    { hour: new Date('2026-11-21T10:00:00Z'), shard: 0 },
  ]);
});

it('queries the last visit only if the moved visit may have been the last', async () => {
  await insertVisitCounts(NO_AGENT, 'unknown_agent', [3]);
  const queriesLastVisit = async (occurredAt: string): Promise<boolean> => {
    const statements: string[] = [];
    await database.dataSource.transaction(async (transaction) => {
      const query = jest.spyOn(transaction, 'query');
      const at = { occurredAt: Date.parse(occurredAt) };
      await new MovedCountsRepository().move(transaction, [{ before: row(at), after: row({ ...agentVisit, ...at }) }]);
      statements.push(...query.mock.calls.map(([statement]) => statement));
    });
    return statements.some((statement) => statement.includes('visits_full'));
  };
  expect(await queriesLastVisit('2026-11-21T10:20:00.000Z')).toBe(false);
  expect(await queriesLastVisit(BUCKET)).toBe(true);
});

it.each([2 ** 53, 1e15, 123_456_789_012_345.6, 999_999_999_999_999, 1e21, 1e300, 0.000_1, 0.000_015, 5e-324, 0])(
  'finds the count for status %d by its text form in PostgreSQL',
  async (status) => {
    await insertVisitCounts(NO_AGENT, 'unknown_agent', [1]);
    const [{ text }] = await database.dataSource.query(`SELECT $1::float8::text AS text`, [status]);
    await insertTopCounts([
      ['page', '/a', 0, 1],
      ['status', text, 0, 1],
    ]);
    await move(row({ status }), row({ ...agentVisit, status }));
    expect(await tops()).toEqual([
      ['agent_page', '/a', 0, 1],
      ['agent_status', text, 0, 1],
    ]);
  },
);

it('moves counts for report dimensions', async () => {
  const before = row({
    dimensions: [
      ['referral', '["ChatGPT"]'],
      ['both', 'x'],
    ],
  });
  const after = row({
    ...agentVisit,
    dimensions: [
      ['robots', '["GPTBot","/a"]'],
      ['both', 'x'],
    ],
  });
  await insertVisitCounts(NO_AGENT, 'unknown_agent', [1]);
  await insertTopCounts([
    ['page', '/a', 0, 1],
    ['status', '200', 0, 1],
    ['referral', '["ChatGPT"]', 0, 1],
    ['both', 'x', 0, 1],
  ]);
  await move(before, after);
  expect(await tops()).toEqual([
    ['agent_page', '/a', 0, 1],
    ['agent_status', '200', 0, 1],
    ['both', 'x', 0, 1],
    ['robots', '["GPTBot","/a"]', 0, 1],
  ]);
});

it('moves visits between "other" counts if their values have no row', async () => {
  await insertVisitCounts(NO_AGENT, 'unknown_agent', [5]);
  await insertTopCounts([
    ['page', '/b', 0, 3],
    ['page', OTHER_VALUE, 0, 2],
    ['agent_page', OTHER_VALUE, 0, 7],
    ['status', '200', 0, 5],
  ]);
  await move(row(), row(agentVisit), 2);
  expect(await tops()).toEqual([
    ['agent_page', OTHER_VALUE, 0, 9],
    ['agent_status', '200', 0, 2],
    ['page', '/b', 0, 3],
    ['status', '200', 0, 3],
  ]);
});

it('moves fetches of files that version 0.1.0 counted by status group and path', async () => {
  const file = (...parts: string[]): [string, string] => ['agent_file', JSON.stringify(parts)];
  const path = '/.well-known/mcp/a.json?b';
  const page = '/.well-known/mcp/a.json';
  const before = { ...agentVisit, path, page, dimensions: [file(AGENT, 'file', '/.well-known/mcp/*')] };
  const after = { ...before, agentId: OTHER_AGENT, dimensions: [file(OTHER_AGENT, 'file', '/.well-known/mcp/*')] };
  await insertTopCounts([
    [...file(AGENT, 'file', '/.well-known/mcp/*'), 0, 1],
    [...file(AGENT, 'served', page), 0, 2],
    [...file(OTHER_AGENT, 'file', '/.well-known/mcp/*'), 0, 1],
    ['agent_file', OTHER_VALUE, 0, 1],
  ]);
  await move(row(before), row(after), 2);
  expect(await tops()).toEqual(
    expect.arrayContaining([
      ['agent_file', OTHER_VALUE, 0, 1],
      [...file(AGENT, 'served', page), 0, 1],
      [...file(OTHER_AGENT, 'file', '/.well-known/mcp/*'), 0, 3],
    ]),
  );
});

it('does not subtract fetches of files by unknown visitors, which version 0.1.0 did not count', async () => {
  const dimensions = (fetcher: string): [string, string][] => [
    ['agent_file', JSON.stringify([fetcher, 'file', '/llms.txt'])],
  ];
  const fetch = { path: '/llms.txt', page: '/llms.txt' };
  await insertTopCounts([
    ['agent_file', JSON.stringify([AGENT, 'file', '/llms.txt']), 0, 1],
    ['agent_file', OTHER_VALUE, 0, 1],
  ]);
  await move(row({ ...fetch, dimensions: dimensions('unknown') }), {
    ...row({ ...fetch, ...agentVisit }),
    dimensions: dimensions(AGENT),
  });
  expect(await tops()).toEqual(
    expect.arrayContaining([
      ['agent_file', OTHER_VALUE, 0, 1],
      ['agent_file', JSON.stringify([AGENT, 'file', '/llms.txt']), 0, 2],
    ]),
  );
});

it('moves visits whose paths version 0.1.0 counted as pages of their own', async () => {
  const [markdown, html] = ['/a.md?raw', '/a.html'].map((path) => row({ path }));
  await insertTopCounts([
    ['page', '/a.md', 0, 2],
    ['page', '/a.html', 0, 1],
    ['page', '/b.md', 0, 1],
    ['page', OTHER_VALUE, 0, 1],
  ]);
  const remaining = (value: string): readonly unknown[] => ['page', value, 0, 1];
  await move(markdown!, { ...markdown!, ...agentVisit });
  await move(html!, { ...html!, ...agentVisit });
  expect(await tops()).toEqual([
    ['agent_page', '/a', 0, 2],
    ['agent_status', '200', 0, 2],
    remaining(OTHER_VALUE),
    remaining('/a.md'),
    remaining('/b.md'),
  ]);
});
