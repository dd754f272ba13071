import { jest } from '@jest/globals';
import { READING_DATA_SOURCE } from '#libs/database';
import type { DataSource } from 'typeorm';
import { agentId } from '#libs/catalog';
import { App, type Json } from '../../../../test/kit/app.js';
import '../../../../test/kit/dispose-left-overs.js';
import { storeVisits } from '../../../../test/kit/stored-visits.js';

const DAY = 86_400_000;
const NOW = Date.parse('2026-11-21T08:31:05Z');
const DAYS = 10;
const GPTBOT = { agent: 'GPTBot', type: 'AI Data Scraper', operator: 'OpenAI' };

const time = (back: number): string => new Date(NOW - back * DAY).toISOString();
const partition = (back: number): string => `visits_${time(back).slice(0, 10).replaceAll('-', '')}`;
const unknown = (name: string): string => `unknown_${name}`;
/** Partitions of the last `days` days, oldest first: of agents, of unknown visitors, and both. */
const agents = (days: number): string[] => Array.from({ length: days }, (_, index) => partition(days - 1 - index));
const unknowns = (days: number): string[] => agents(days).map(unknown);
const newest = (days: number): string[] => [...unknowns(days), ...agents(days)];

let app: App;
let path: string;

beforeAll(async () => {
  app = await App.start({ clock: () => NOW });
  const { id } = (await app.api('POST', '/projects', { name: 'Shop' })).body;
  path = `/projects/${id}`;
  for (let back = DAYS; back >= 0; back -= 1) {
    const visits = [GPTBOT, { ...GPTBOT, result: 'verification_failed' as const }, { path: '/rare' }];
    await storeVisits(
      app.database.dataSource,
      id,
      NOW - back * DAY,
      visits.map((visit) => ({ at: time(back), ...visit })),
    );
  }
  await app.database.dataSource.query('ANALYZE visits, unknown_visits');
});
afterEach(() => jest.restoreAllMocks());

/** Returns the partitions that PostgreSQL plans to read for the statements of a request. */
async function partitionsRead(request: string): Promise<string[]> {
  const dataSource = app.nest.get<DataSource>(READING_DATA_SOURCE);
  const logged = jest.spyOn(dataSource.logger, 'logQuery');
  const answer = await app.api('GET', path + request);
  expect([request, answer.status]).toEqual([request, 200]);
  const statements = logged.mock.calls.filter(([text]) => /\bFROM visits(_full)?\b/.test(text));
  logged.mockRestore();
  expect(statements.length).toBeGreaterThan(0);
  const found = new Set<string>();
  for (const [text, parameters] of statements) {
    const [row] = (await dataSource.query(`EXPLAIN (FORMAT JSON) ${text}`, parameters as unknown[])) as Json[];
    JSON.stringify(row['QUERY PLAN'], (key, value: unknown) => {
      // Ignores the empty partitions of future days.
      if (key === 'Relation Name' && all().includes(String(value))) found.add(String(value));
      return value;
    });
  }
  return [...found].toSorted();
}

const all = (): string[] => newest(DAYS + 1);

describe('partition pruning', () => {
  it.each([
    ['', newest],
    ['path=/rare', newest],
    ['result=unknown_agent&result=verified', newest],
    // Filters that imply an agent skip the visits of unknown visitors, and vice versa.
    [`agent=${agentId('GPTBot')}`, agents],
    [`agent=GPTBot&agent=ClaudeBot`, agents],
    ['type=AI Data Scraper', agents],
    ['operator=OpenAI', agents],
    ['result=verification_failed', agents],
    ['result=verified&result=not_verifiable', agents],
    ['robots=disallowed', agents],
    ['assistant=ChatGPT', unknowns],
    ['automation=likely', unknowns],
    ['result=unknown_agent', unknowns],
  ])('reads partitions since the start of the range, with the filter "%s"', async (filter, newest) => {
    expect(await partitionsRead(`/visits?from=${time(2)}&${filter}`)).toEqual(newest(3));
    // Visits of the range may have been received after its end.
    expect(await partitionsRead(`/visits?from=${time(2)}&to=${time(1)}&${filter}`)).toEqual(newest(3));
    expect(await partitionsRead(`/visits?from=${time(0)}&${filter}`)).toEqual(newest(1));
  });

  it('reads the range on later pages, and only newer partitions towards newer visits', async () => {
    const first = (await app.api('GET', `${path}/visits?from=${time(3)}&limit=2`)).body;
    expect(await partitionsRead(`/visits?from=${time(3)}&cursor=${first.next_cursor}`)).toEqual(newest(4));
    expect(await partitionsRead(`/visits?cursor=${first.previous_cursor}`)).toEqual(newest(1));
    // Older visits can be in any partition. Each partition is read by index.
    expect(await partitionsRead(`/visits?cursor=${first.next_cursor}`)).toEqual(all());
  });

  it('reads one day for a single visit', async () => {
    const { visits } = (await app.api('GET', `${path}/visits?to=${time(4)}&limit=1`)).body;
    expect(await partitionsRead(`/visits/${visits[0].id}`)).toEqual([unknown(partition(5)), partition(5)]);
  });

  it('reads the range for sampled charts', async () => {
    expect(await partitionsRead('/histogram')).toEqual(newest(1));
    expect(await partitionsRead(`/verification?from=${time(2)}`)).toEqual(agents(3));
    expect(await partitionsRead(`/agents/${agentId('GPTBot')}?from=${time(2)}`)).toEqual(agents(3));
  });
});
