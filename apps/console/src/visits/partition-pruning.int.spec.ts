import { jest } from '@jest/globals';
import { READ_DATA_SOURCE } from '#libs/database';
import type { DataSource } from 'typeorm';
import { agentId } from '#libs/catalog';
import { App, type Json } from '../../../../test/kit/app.js';
import '../../../../test/kit/dispose-all.js';
import { storeVisits } from '../../../../test/kit/stored-visits.js';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-21T08:31:05Z');
const DAYS = 10;
const GPTBOT = { agent: 'GPTBot', type: 'AI Data Scraper', operator: 'OpenAI' };

const daysAgo = (days: number): string => new Date(NOW - days * DAY_MS).toISOString();
const toPartition = (days: number): string => `visits_${daysAgo(days).slice(0, 10).replaceAll('-', '')}`;
const toUnknownPartition = (name: string): string => `unknown_${name}`;
/** Partitions for the last `days` days, oldest first. They store visits by agents, by unknown visitors, or by both. */
const agentPartitions = (days: number): string[] =>
  Array.from({ length: days }, (_, index) => toPartition(days - 1 - index));
const unknownPartitions = (days: number): string[] => agentPartitions(days).map(toUnknownPartition);
const newestPartitions = (days: number): string[] => [...unknownPartitions(days), ...agentPartitions(days)];

let app: App;
let path: string;

beforeAll(async () => {
  app = await App.start({ clock: () => NOW });
  const { id } = (await app.api('POST', '/projects', { name: 'Shop' })).body;
  path = `/projects/${id}`;
  for (let days = DAYS; days >= 0; days -= 1) {
    const visits = [GPTBOT, { ...GPTBOT, result: 'verification_failed' as const }, { path: '/rare' }];
    await storeVisits(
      app.database.dataSource,
      id,
      NOW - days * DAY_MS,
      visits.map((visit) => ({ at: daysAgo(days), ...visit })),
    );
  }
  await app.database.dataSource.query('ANALYZE visits, unknown_visits');
});
afterEach(() => jest.restoreAllMocks());

/** Returns the partitions that PostgreSQL plans to read for a request's statements. */
async function getPartitionsRead(request: string): Promise<string[]> {
  const dataSource = app.nest.get<DataSource>(READ_DATA_SOURCE);
  const logQuerySpy = jest.spyOn(dataSource.logger, 'logQuery');
  const response = await app.api('GET', path + request);
  expect([request, response.status]).toEqual([request, 200]);
  const statements = logQuerySpy.mock.calls.filter(([text]) => /\bFROM visits(_full)?\b/.test(text));
  logQuerySpy.mockRestore();
  expect(statements.length).toBeGreaterThan(0);
  const found = new Set<string>();
  for (const [text, parameters] of statements) {
    const [row] = (await dataSource.query(`EXPLAIN (FORMAT JSON) ${text}`, parameters as unknown[])) as Json[];
    JSON.stringify(row['QUERY PLAN'], (key, value: unknown) => {
      // Ignores the empty partitions for future days.
      if (key === 'Relation Name' && everyPartition().includes(String(value))) found.add(String(value));
      return value;
    });
  }
  return [...found].toSorted();
}

const everyPartition = (): string[] => newestPartitions(DAYS + 1);

describe('partition pruning', () => {
  it.each([
    ['', newestPartitions],
    ['path=/rare', newestPartitions],
    ['result=unknown_agent&result=verified', newestPartitions],
    // Filters that imply an agent skip visits by unknown visitors, and vice versa.
    [`agent=${agentId('GPTBot')}`, agentPartitions],
    [`agent=GPTBot&agent=ClaudeBot`, agentPartitions],
    ['type=AI Data Scraper', agentPartitions],
    ['operator=OpenAI', agentPartitions],
    ['result=verification_failed', agentPartitions],
    ['result=verified&result=not_verifiable', agentPartitions],
    ['robots=disallowed', agentPartitions],
    ['assistant=ChatGPT', unknownPartitions],
    ['automation=likely', unknownPartitions],
    ['result=unknown_agent', unknownPartitions],
  ])('skips partitions from before the start of the range when filtering by "%s"', async (filter, newestPartitions) => {
    expect(await getPartitionsRead(`/visits?from=${daysAgo(2)}&${filter}`)).toEqual(newestPartitions(3));
    // Visits that occurred within the range may have been received after it ended.
    expect(await getPartitionsRead(`/visits?from=${daysAgo(2)}&to=${daysAgo(1)}&${filter}`)).toEqual(
      newestPartitions(3),
    );
    expect(await getPartitionsRead(`/visits?from=${daysAgo(0)}&${filter}`)).toEqual(newestPartitions(1));
  });

  it('reads the partitions in the range when paging to older visits, and only newer ones when paging to newer visits', async () => {
    const first = (await app.api('GET', `${path}/visits?from=${daysAgo(3)}&limit=2`)).body;
    expect(await getPartitionsRead(`/visits?from=${daysAgo(3)}&cursor=${first.next_cursor}`)).toEqual(
      newestPartitions(4),
    );
    expect(await getPartitionsRead(`/visits?cursor=${first.previous_cursor}`)).toEqual(newestPartitions(1));
    // Older visits can be in any partition. Each partition is read by index.
    expect(await getPartitionsRead(`/visits?cursor=${first.next_cursor}`)).toEqual(everyPartition());
  });

  it("reads only one day's partitions when looking up a single visit", async () => {
    const { visits } = (await app.api('GET', `${path}/visits?to=${daysAgo(4)}&limit=1`)).body;
    expect(await getPartitionsRead(`/visits/${visits[0].id}`)).toEqual([
      toUnknownPartition(toPartition(5)),
      toPartition(5),
    ]);
  });

  it('limits sampled charts to the partitions in the range', async () => {
    expect(await getPartitionsRead('/histogram')).toEqual(newestPartitions(1));
    expect(await getPartitionsRead(`/verification?from=${daysAgo(2)}`)).toEqual(agentPartitions(3));
    expect(await getPartitionsRead(`/agents/${agentId('GPTBot')}?from=${daysAgo(2)}&compare_from=none`)).toEqual(
      agentPartitions(3),
    );
  });
});
