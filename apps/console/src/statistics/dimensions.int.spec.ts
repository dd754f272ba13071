import { dimensionParts, dimensionValue, newBatchId } from '#libs/contracts';
import { CountsRepository, DimensionsRepository } from '#libs/visit-store';
import { startTestDatabase, type TestDatabase } from '../../../../test/kit/database.js';
import { newestState } from '../../../../test/kit/snapshot.js';
import { storeVisits, sumUpCounts } from '../../../../test/kit/stored-visits.js';

const PROJECT = '019a0000-0000-7000-8000-000000000001';
const NOW = Date.parse('2026-11-21T08:31:05Z');
const HOUR = 3_600_000;
const from = Date.parse('2026-11-19T00:00:00Z');
const range = { from, to: NOW };
/** Starts of days in a zone two hours ahead of UTC. */
const starts = [0, 22, 46].map((hours) => from + hours * HOUR);

let database: TestDatabase;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

const query = (text: string, parameters: unknown[] = []) => database.dataSource.query(text, parameters);

/** Creates a snapshot and repositories for each read. They cache which counts aren't summed up yet. */
const read = () => {
  const repository = new DimensionsRepository(new CountsRepository());
  const snapshot = newestState(database.dataSource);
  return {
    sums: (dimension: string) => repository.sums(snapshot, PROJECT, range, dimension),
    series: (dimension: string) =>
      repository.series(snapshot, PROJECT, { ...range, starts, bucket: '1d', timeZone: 'Etc/GMT-2' }, dimension),
  };
};

it('counts visits by several dimensions, once each, before and after they are summed up', async () => {
  const at = (hours: number): string => new Date(from + hours * HOUR).toISOString();
  const visits = [
    { at: at(1), dimensions: [['sent', 'a'] as const, ['sent', 'b'] as const, ['asked', 'a'] as const] },
    { at: at(1), agent: 'GPTBot', dimensions: [['sent', 'a'] as const] },
    { at: at(23), keptAs: 'counted' as const, dimensions: [['sent', 'a'] as const] },
    { at: at(50), dimensions: [] },
    { at: at(56), dimensions: [['sent', 'c'] as const] },
  ];
  const batch = newBatchId(NOW);
  await storeVisits(database.dataSource, PROJECT, NOW, visits, batch);
  await storeVisits(database.dataSource, PROJECT, NOW, visits, batch);
  const expectCounted = async (): Promise<void> => {
    expect(await read().sums('sent')).toEqual([
      { value: 'a', visits: 3 },
      { value: 'b', visits: 1 },
      { value: 'c', visits: 1 },
    ]);
    expect(await read().sums('asked')).toEqual([{ value: 'a', visits: 1 }]);
    expect(await read().sums('page')).toEqual([]);
    const series = await read().series('sent');
    expect(series.toSorted((one, other) => one.item - other.item || (one.value < other.value ? -1 : 1))).toEqual([
      { item: 0, value: 'a', visits: 2 },
      { item: 0, value: 'b', visits: 1 },
      { item: 1, value: 'a', visits: 1 },
      { item: 2, value: 'c', visits: 1 },
    ]);
  };
  await expectCounted();
  await sumUpCounts(database.dataSource, NOW);
  await expectCounted();
});

it('reads the summed part of a day from its sums, unless visits arrived late', async () => {
  const today = Date.parse('2026-11-21T00:00:00Z');
  const visit = (hours: number, value: string) => ({
    at: new Date(today + hours * HOUR).toISOString(),
    dimensions: [['today', value] as const],
  });
  await storeVisits(database.dataSource, PROJECT, NOW, [visit(1, 'a'), visit(7.9, 'b'), visit(8.1, 'c')]);
  await sumUpCounts(database.dataSource, NOW);
  const counted = async () =>
    Object.fromEntries((await read().sums('today')).map(({ value, visits }) => [value, visits]));
  expect(await counted()).toEqual({ a: 1, b: 1, c: 1 });
  // The changed sums show which table is read.
  const mark = (visits: number, table: string) =>
    query(`UPDATE ${table} SET visits = $1 WHERE dimension = 'today' AND bucket < $2`, [visits, new Date(NOW)]);
  await mark(10, 'visit_day_top_counts');
  expect(await counted()).toEqual({ a: 10, b: 10, c: 1 });
  await storeVisits(database.dataSource, PROJECT, NOW, [visit(2, 'a')]);
  expect(await counted()).toEqual({ a: 2, b: 1, c: 1 });
  await sumUpCounts(database.dataSource, NOW);
  await mark(5, 'visit_top_counts');
  expect(await counted()).toEqual({ a: 2, b: 1, c: 5 });
  await sumUpCounts(database.dataSource, today + 24 * HOUR);
  expect(await counted()).toEqual({ a: 10, b: 5, c: 5 });
});

it('reads pages from sums for summed hours, and from quarter hours otherwise', async () => {
  const began = Date.parse('2026-11-18T01:00:00Z');
  const visit = (minutes: number, path: string) => ({ at: new Date(began + minutes * 60_000).toISOString(), path });
  const visits = [visit(0, '/a'), visit(20, '/a'), visit(30, '/b'), visit(70, '/b'), visit(130, '/b')];
  await storeVisits(database.dataSource, PROJECT, NOW, visits);
  const counted = async () => {
    const snapshot = newestState(database.dataSource);
    const of = { from: began, to: began + 2.25 * HOUR };
    const repository = new CountsRepository();
    const list = { of: 'page', visitors: 'all' } as const;
    const top = await repository.top(snapshot, PROJECT, of, list, 2);
    const same = (await repository.ofValues(snapshot, PROJECT, of, list, top)).toSorted(
      (one, other) => other.visits - one.visits,
    );
    expect(same).toEqual(top);
    return top.map(({ value, visits: each }) => [value, each]);
  };
  const all = [
    ['/b', 3],
    ['/a', 2],
  ];
  expect(await counted()).toEqual(all);
  await sumUpCounts(database.dataSource, NOW);
  expect(await counted()).toEqual(all);
  // The changed sums show which table is read.
  await query(`UPDATE visit_hour_top_counts SET top_visits = '{10,20}' WHERE bucket = $1`, [new Date(began)]);
  expect(await counted()).toEqual([
    ['/b', 22],
    ['/a', 10],
  ]);
  await storeVisits(database.dataSource, PROJECT, NOW, [visit(40, '/b')]);
  expect(await counted()).toEqual([['/b', 4], all[1]]);
  await sumUpCounts(database.dataSource, NOW);
  expect(await counted()).toEqual([['/b', 4], all[1]]);
  // Versions without these sums left the table empty.
  await query(`DELETE FROM visit_hour_top_counts`, []);
  expect(await counted()).toEqual([['/b', 4], all[1]]);
});

it('reads the rest of a day from its sum, for any start of the range', async () => {
  const began = Date.parse('2026-11-16T00:00:00Z');
  const project = '019a0000-0000-7000-8000-000000000002';
  const snapshot = newestState(database.dataSource);
  // Three visits an hour, one of them by an agent.
  const visits = Array.from({ length: 3 * 40 }, (_, index) => ({
    at: new Date(began + index * 20 * 60_000).toISOString(),
    path: `/${index % 5}`,
    ...(index % 3 === 0 && { agent: 'GPTBot' }),
  }));
  await storeVisits(database.dataSource, project, NOW, visits);
  const lists = (['agents', 'all'] as const).flatMap((visitors) => [
    { of: 'page', visitors } as const,
    { of: 'status', visitors } as const,
  ]);
  const counted = async () => {
    const all: unknown[] = [];
    for (let quarter = 0; quarter < 98; quarter += 1) {
      const of = { from: began + quarter * 900_000, to: began + 30.25 * HOUR };
      for (const list of lists) {
        const top = await new CountsRepository().top(snapshot, project, of, list, 4);
        const same = await new CountsRepository().ofValues(snapshot, project, of, list, top);
        all.push(
          top,
          same.toSorted((one, other) => (one.value < other.value ? -1 : 1)),
        );
      }
    }
    return all;
  };
  const all = await counted();
  await sumUpCounts(database.dataSource, NOW);
  expect(await counted()).toEqual(all);
  const pageVisits = async (hour: number) => {
    const of = { from: began + hour * HOUR, to: began + 24 * HOUR };
    const pages = await new CountsRepository().top(snapshot, project, of, { of: 'page', visitors: 'agents' }, 100);
    return pages.reduce((sum, { visits }) => sum + visits, 0);
  };
  const rest = new Date(began + 9 * HOUR);
  // The changed sum shows which tables are read: hours first, then the rest of the day.
  await query(`UPDATE visit_rest_top_counts SET top_visits[1] = top_visits[1] + 100 WHERE bucket = $1`, [rest]);
  const read = [await pageVisits(6), await pageVisits(7), await pageVisits(9), await pageVisits(10)];
  expect(read).toEqual([18, 117, 115, 14]);
  await storeVisits(database.dataSource, project, NOW, [visits[30]!]);
  expect(await pageVisits(9)).toBe(16);
  await sumUpCounts(database.dataSource, NOW);
  expect(await pageVisits(9)).toBe(16);
  // Versions without these sums left the table empty.
  await query(`DELETE FROM visit_rest_top_counts`, []);
  expect(await pageVisits(9)).toBe(16);
  // If hours of a day have no sums, the rest of the day must not be summed from the others.
  await query(`DELETE FROM visit_hour_top_counts`, []);
  await storeVisits(database.dataSource, project, NOW, [visits[30]!]);
  await sumUpCounts(database.dataSource, NOW);
  expect(await pageVisits(9)).toBe(17);
});

it('stores rest-of-day sums for recent days only', async () => {
  const project = '019a0000-0000-7000-8000-000000000003';
  const daysAfter = async (now: number, at: string): Promise<string[]> => {
    await storeVisits(database.dataSource, project, now, [{ at, path: '/' }]);
    await sumUpCounts(database.dataSource, now);
    const days = `SELECT DISTINCT to_char(bucket AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day FROM visit_rest_top_counts WHERE project_id = $1 ORDER BY 1`;
    return ((await query(days, [project])) as { day: string }[]).map(({ day }) => day);
  };
  expect(await daysAfter(NOW, '2026-11-16T22:30:00Z')).toEqual(['2026-11-16']);
  // From an old log.
  expect(await daysAfter(NOW, '2026-08-01T22:30:00Z')).toEqual(['2026-11-16']);
  expect(await daysAfter(NOW + 88 * 24 * HOUR, '2026-11-18T22:30:00Z')).toEqual(['2026-11-18']);
});

it('returns the most frequent values, and combines the others into one', async () => {
  const at = (quarter: number): string => new Date(from + 200 * HOUR + quarter * 900_000).toISOString();
  const visits = Array.from({ length: 5_100 }, (_, index) => ({
    at: at(Math.floor(index / 1_000)),
    dimensions: [['named', `value ${index}`] as const],
  }));
  const often = { at: at(0), dimensions: [['named', 'often'] as const, ['named', 'often too'] as const] };
  await storeVisits(database.dataSource, PROJECT, from + 202 * HOUR, [often, { ...often }, ...visits]);
  const repository = new DimensionsRepository(new CountsRepository());
  const wide = { from: from + 200 * HOUR, to: from + 202 * HOUR };
  const counted = await repository.sums(newestState(database.dataSource), PROJECT, wide, 'named');
  expect(counted.length).toBeLessThanOrEqual(5_001);
  expect(counted.reduce((sum, { visits: each }) => sum + each, 0)).toBe(5_104);
  expect(counted.find(({ value }) => value === 'often')!.visits).toBe(2);
});

it('shortens values to fit an index', () => {
  const long = [0x4e00, 0xd83d, 1].map((code) => String.fromCharCode(code).repeat(600));
  const value = dimensionValue('GPTBot', ...long);
  expect(Buffer.byteLength(value)).toBeLessThanOrEqual(1_500);
  expect(dimensionParts(value)[0]).toBe('GPTBot');
  expect(dimensionParts(dimensionValue('x'.repeat(400), 'y'))).toEqual(['x'.repeat(400), 'y']);
});

it('limits a quarter hour to 1,000 values', async () => {
  const visits = Array.from({ length: 1_100 }, (_, index) => ({
    at: new Date(from + 70 * HOUR).toISOString(),
    dimensions: [['many', `value ${index}`] as const],
  }));
  await storeVisits(database.dataSource, PROJECT, from + 71 * HOUR, visits);
  const counted = await new DimensionsRepository(new CountsRepository()).sums(
    newestState(database.dataSource),
    PROJECT,
    { from, to: from + 72 * HOUR },
    'many',
  );
  expect(counted).toHaveLength(1_001);
  expect(counted[0]).toEqual({ value: '', visits: 100 });
});
