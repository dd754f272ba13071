import { jest } from '@jest/globals';
import { agentId } from '#libs/catalog';
import {
  createBatchId,
  createVisitId,
  listVisits,
  mergePositions,
  timelineCursor,
  type TimelineFilters,
  type VisitPosition,
} from '#libs/contracts';
import { readQuery } from '#libs/platform';
import { createClickHouseDatabase } from '../../../../test/kit/clickhouse.js';
import { startTestDatabase, type TestDatabase } from '../../../../test/kit/database.js';
import { FILTER_QUERIES, FILTERED_VISITS, toParameters } from '../../../../test/kit/filter-examples.js';
import { createVisitRow, type StoredVisit } from '../../../../test/kit/stored-visits.js';
import { PartitionsRepository, toDayNumber } from '../partitions.repository.js';
import { ReadTimeoutError } from '../read-timeout-error.js';
import { createSnapshot } from '../snapshot.js';
import type { StreamedVisit } from '../streamed-visits.js';
import { createMatcher, resolveBehaviors } from '../timeline-filters.js';
import { prepareVisitStore } from '../visit-store-location.repository.js';
import { BatchesRepository } from './batches.repository.js';
import { ClickHouse } from './clickhouse.js';
import { ClickHouseTimelineRepository } from './timeline.repository.js';
import { ClickHouseVisitsRepository } from './visits.repository.js';

const NOW = Date.now();
const DAY_MS = 86_400_000;
const OTHER_PROJECT = '019a0000-0000-7000-8000-000000000001';
const NO_FILTERS = readQuery(listVisits, {});

let database: TestDatabase;
let clickhouse: ClickHouse;
let visits: ClickHouseVisitsRepository;
let timeline: ClickHouseTimelineRepository;
beforeAll(async () => {
  database = await startTestDatabase();
  const options = await createClickHouseDatabase();
  await prepareVisitStore(database.dataSource, options);
  await new PartitionsRepository(database.dataSource).ensure([toDayNumber(NOW)]);
  clickhouse = new ClickHouse(options);
  const batches = new BatchesRepository(database.dataSource, clickhouse);
  visits = new ClickHouseVisitsRepository(database.dataSource, clickhouse, batches);
  timeline = new ClickHouseTimelineRepository(database.dataSource, clickhouse, { find: () => null });
});
afterAll(async () => {
  await clickhouse.close();
  await database.stop();
});

let projects = 1;
let project: string;
beforeEach(() => {
  projects += 1;
  project = `019a0000-0000-7000-8000-${String(projects).padStart(12, '0')}`;
});
afterEach(() => jest.restoreAllMocks());

const createRows = (stored: readonly StoredVisit[], projectId = project) => {
  const batch = createBatchId(NOW);
  return stored.map((visit, index) => createVisitRow(projectId, createVisitId(batch, index), NOW, visit));
};
const at = (milliseconds: number): string => new Date(milliseconds).toISOString();
const store = async (...paths: string[]): Promise<void> => {
  await visits.store(createRows(paths.map((path) => ({ at: at(NOW), path }))));
};
const parsePath = (document: string): string => JSON.parse(document).visit.request_path;

/** Stores visits in a shard, by locking all lower ones. */
async function storeInShard(shard: number, ...paths: string[]): Promise<void> {
  const runner = database.dataSource.createQueryRunner();
  await runner.startTransaction();
  try {
    for (let lower = 0; lower < shard; lower += 1)
      await runner.query(`SELECT pg_advisory_xact_lock(411682, $1)`, [lower]);
    await store(...paths);
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
}

/** Reads all visits after a position, in parts. */
async function readAll(position: VisitPosition, limit: number): Promise<StreamedVisit[]> {
  const all: StreamedVisit[] = [];
  for (;;) {
    const part = await timeline.readAfter(project, position, limit);
    all.push(...part.visits);
    ({ position } = part);
    if (!part.hasMore) return all;
  }
}

describe('live streams', () => {
  const readPaths = async (position: VisitPosition, limit: number): Promise<string[]> =>
    (await readAll(position, limit)).map(({ document }) => parsePath(document));

  it('wait for a batch that ClickHouse does not have yet', async () => {
    await store('/1', '/2');
    jest.spyOn(clickhouse, 'insert').mockRejectedValueOnce(new Error('connection lost'));
    await expect(store('/3')).rejects.toThrow('connection lost');
    await store('/4');
    const first = await timeline.readAfter(project, [], 100);
    expect(first.visits.map(({ document }) => parsePath(document))).toEqual(['/1', '/2']);
    expect(first.position).toEqual(await timeline.lastPosition(project));
    expect((await timeline.readAfter(project, first.position, 100)).visits).toEqual([]);
    expect(await visits.finishStoring(0)).toBe(1);
    expect(await readPaths(first.position, 100)).toEqual(['/3', '/4']);
  });

  it("don't wait for other projects or for other shards", async () => {
    jest.spyOn(clickhouse, 'insert').mockRejectedValueOnce(new Error('connection lost'));
    await expect(visits.store(createRows([{ at: at(NOW) }], OTHER_PROJECT))).rejects.toThrow('connection lost');
    await store('/1');
    expect(await readPaths([], 100)).toEqual(['/1']);
    jest.spyOn(clickhouse, 'insert').mockRejectedValueOnce(new Error('connection lost'));
    await expect(store('/2')).rejects.toThrow('connection lost');
    await storeInShard(1, '/3');
    expect((await readPaths([], 100)).toSorted()).toEqual(['/1', '/3']);
    expect(await visits.finishStoring(0)).toBe(2);
  });

  it('return each visit once and in order, from all shards', async () => {
    const paths = Array.from({ length: 6 }, (_, index) => String(index));
    await storeInShard(0, ...paths.map((path) => `/a${path}`));
    await storeInShard(1, ...paths.map((path) => `/b${path}`));
    await storeInShard(2, '/c0');
    await storeInShard(0, '/a6');
    const inOrder = [...paths.map((path) => `/a${path}`), ...paths.map((path) => `/b${path}`), '/c0', '/a6'];
    expect(await readPaths([], 100)).toEqual(inOrder);
    for (const limit of [1, 2, 5, 100]) {
      const all = await readPaths([], limit);
      for (const [shard, expected] of [
        ['a', [...paths, '6']],
        ['b', paths],
        ['c', ['0']],
      ] as const) {
        expect([limit, all.filter((path) => path[1] === shard)]).toEqual([
          limit,
          expected.map((path) => `/${shard}${path}`),
        ]);
      }
    }
    // A client can resume after any visit.
    const all = await readAll([], 100);
    for (const index of all.keys()) {
      const position = all
        .slice(0, index + 1)
        .reduce<VisitPosition>((one, each) => mergePositions(one, each.position), []);
      const rest = all.slice(index + 1).map(({ document }) => parsePath(document));
      expect((await readPaths(position, 4)).toSorted()).toEqual(rest.toSorted());
    }
  });

  it('return large visits in several parts', async () => {
    const padding = 'x'.repeat(400_000);
    await visits.store(
      createRows(Array.from({ length: 8 }, (_, index) => ({ at: at(NOW), path: `/${index}`, headers: { padding } }))),
    );
    const part = await timeline.readAfter(project, [], 100);
    expect([part.visits.length, part.hasMore]).toEqual([3, true]);
    expect(await readPaths([], 100)).toEqual(Array.from({ length: 8 }, (_, index) => `/${index}`));
  });
});

describe('pages', () => {
  async function readPages(filters: Partial<TimelineFilters>, order: 'newest' | 'oldest', limit: number) {
    const pages: string[][] = [];
    const cursors: (string | null)[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await timeline.page(project, {
        ...NO_FILTERS,
        ...filters,
        order,
        limit,
        cursor: cursor === undefined ? null : timelineCursor.read(cursor),
      });
      pages.push(page.documents.map(parsePath));
      cursors.push(page.previousCursor);
      cursor = page.nextCursor;
    }
    return { pages, cursors };
  }

  it('contain each visit once in both directions, even if times are equal or far apart', async () => {
    const ages = [0, 0, 0, 0, 0, 1, 1, 0.5 * DAY_MS, 3 * DAY_MS, 3 * DAY_MS, 100 * DAY_MS, 3_000 * DAY_MS];
    const rows = createRows(ages.map((age, index) => ({ at: at(NOW - age), path: `/${index}` })));
    await visits.store(rows);
    const oldest = rows
      .toSorted((one, other) => one.occurredAt - other.occurredAt || (one.id < other.id ? -1 : 1))
      .map(({ path }) => path);
    for (const [order, expected] of [
      ['oldest', oldest],
      ['newest', oldest.toReversed()],
    ] as const) {
      for (const limit of [1, 2, 3, 5, 12]) {
        const { pages, cursors } = await readPages({}, order, limit);
        expect(pages.flat()).toEqual(expected);
        const last = pages.length - 1;
        const { documents } = await timeline.page(project, {
          ...NO_FILTERS,
          order,
          limit: limit * Math.max(1, last),
          cursor: timelineCursor.read(cursors[last]!),
        });
        expect(documents.map(parsePath)).toEqual(pages.slice(0, last).flat());
      }
    }
  });

  it.each([
    ['close together', 1],
    ['far apart', 2 * DAY_MS],
  ])('end when large visits that are %s reach the size limit', async (_, distance) => {
    const padding = 'x'.repeat(500_000);
    await visits.store(
      createRows(
        Array.from({ length: 12 }, (_, index) => ({
          at: at(NOW - index * distance),
          path: `/${index}`,
          headers: { padding },
        })),
      ),
    );
    const { pages } = await readPages({}, 'newest', 50);
    expect(pages.map(({ length }) => length)).toEqual([9, 3]);
    expect(pages.flat()).toEqual(Array.from({ length: 12 }, (_, index) => `/${index}`));
  });

  it('return the same visits for each filter as the predicate', async () => {
    const rows = createRows(FILTERED_VISITS);
    const addresses = ['::ffff:192.0.2.7', 'unparsable', '', '::', '2001:db8:7::', '255.255.255.255'];
    for (const [index, address] of addresses.entries()) rows[index + 2]!.document.client_address = address;
    await visits.store(rows);
    const all = await readAll([], 1_000);
    expect(all).toHaveLength(rows.length);
    const queries = [...FILTER_QUERIES, 'address=::/0', 'address=0.0.0.0/0', 'not_address=::/0&address=0.0.0.0/0'];
    for (const text of queries) {
      const query = await resolveBehaviors(readQuery(listVisits, toParameters(text)), async () => [agentId('CCBot')]);
      const matches = createMatcher(query) ?? (() => true);
      const { pages } = await readPages(query, 'newest', 100);
      const expected = all.filter(matches).map(({ document }) => parsePath(document));
      expect([text, pages.flat().toSorted()]).toEqual([text, expected.toSorted()]);
    }
  });

  it('have a time limit', async () => {
    await store('/');
    const snapshot = createSnapshot(async () => [], 1);
    const query = { ...NO_FILTERS, limit: 50, cursor: null };
    await expect(timeline.page(project, query, snapshot)).rejects.toThrow(ReadTimeoutError);
  });
});

it('finds a visit by ID only in its project', async () => {
  const [row] = createRows([{ at: at(NOW), path: '/found' }]);
  await visits.store([row!]);
  expect(parsePath((await timeline.find(project, row!.id))!)).toBe('/found');
  expect(await timeline.find(OTHER_PROJECT, row!.id)).toBeNull();
});

it('returns the oldest visits and counts the newest', async () => {
  const snapshot = createSnapshot(async () => []);
  expect(await timeline.findOldest(project, snapshot)).toEqual({ agents: null, unknown: null });
  expect(await timeline.countNewest(project, NO_FILTERS, 10, snapshot)).toEqual({ visits: 0, since: null });
  const ages = [5, 4, 3, 2];
  await visits.store(
    createRows(ages.map((age, index) => ({ at: at(NOW - age), ...(index % 2 === 1 && { agent: 'GPTBot' }) }))),
  );
  expect(await timeline.findOldest(project, snapshot)).toEqual({ agents: NOW - 4, unknown: NOW - 5 });
  expect(await timeline.countNewest(project, NO_FILTERS, 3, snapshot)).toEqual({ visits: 3, since: NOW - 4 });
  expect(await timeline.countNewest(project, NO_FILTERS, null, snapshot)).toEqual({ visits: 4, since: NOW - 5 });
  const unknown: TimelineFilters = { ...NO_FILTERS, result: ['unknown_agent'] };
  expect(await timeline.countNewest(project, unknown, 3, snapshot)).toEqual({ visits: 2, since: NOW - 5 });
});
