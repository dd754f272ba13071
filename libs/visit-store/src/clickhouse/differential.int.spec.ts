import {
  createStableVisitId,
  LOAD_GROUPINGS,
  SAMPLED_VISITS_PER_GROUP,
  UNVERIFIED_RESULTS,
  type TimelineFilters,
} from '#libs/contracts';
import { agentId } from '#libs/catalog';
import type { DataSource } from 'typeorm';
import { createClickHouseDatabase } from '../../../../test/kit/clickhouse.js';
import { startTestDatabase, type TestDatabase } from '../../../../test/kit/database.js';
import { createRandomVisits, USER_AGENT_GROUPS } from '../../../../test/kit/random-visits.js';
import { createLatestSnapshot } from '../../../../test/kit/snapshot.js';
import { createVisitRow } from '../../../../test/kit/stored-visits.js';
import { ComplianceRepository } from '../compliance.repository.js';
import { LoadRepository } from '../load.repository.js';
import { NewsRepository, type EarlierFailure, type FailedVisits } from '../news.repository.js';
import { PartitionsRepository, toDayNumber } from '../partitions.repository.js';
import { ProposalVisitsRepository } from '../proposal-visits.repository.js';
import { SamplesRepository } from '../samples.repository.js';
import type { PublicOf } from '../public-of.js';
import type { Snapshot } from '../snapshot.js';
import { StoredCountsRepository, type Population, type StoredCounts } from '../stored-counts.repository.js';
import type { TimeRange } from '../time-range.js';
import { UnlistedAgentsRepository } from '../unlisted-agents.repository.js';
import { VisitFormsRepository } from '../visit-forms.repository.js';
import { VisitPathsRepository } from '../visit-paths.repository.js';
import { prepareVisitStore } from '../visit-store-location.repository.js';
import { VisitsRepository } from '../visits.repository.js';
import { BatchesRepository } from './batches.repository.js';
import { ClickHouse } from './clickhouse.js';
import { ClickHouseComplianceRepository } from './compliance.repository.js';
import { ClickHouseLoadRepository } from './load.repository.js';
import { ClickHouseNewsRepository } from './news.repository.js';
import { ClickHouseProposalVisitsRepository } from './proposal-visits.repository.js';
import { ClickHouseSamplesRepository } from './samples.repository.js';
import { ClickHouseStoredCountsRepository } from './stored-counts.repository.js';
import { ClickHouseUnlistedAgentsRepository } from './unlisted-agents.repository.js';
import { ClickHouseVisitPathsRepository } from './visit-paths.repository.js';
import { ClickHouseVisitsRepository } from './visits.repository.js';

/** Compares the results of both stores with the same visits. There are too few visits for PostgreSQL to sample them. */

const PROJECT = '019a0000-0000-7000-8000-000000000001';
const OTHER_PROJECT = '019a0000-0000-7000-8000-000000000002';
const NOW = Date.now();
const DAY_MS = 86_400_000;
const DAYS = 5;
const QUARTER_MS = 900_000;
const TODAY = Math.floor(NOW / DAY_MS) * DAY_MS;

const RANGES: TimeRange[] = [
  { from: TODAY - 10 * DAY_MS, to: TODAY + 2 * DAY_MS },
  { from: TODAY - 3 * DAY_MS + 5 * QUARTER_MS, to: TODAY - DAY_MS + 7 * QUARTER_MS },
  { from: TODAY - 2 * DAY_MS, to: TODAY - 2 * DAY_MS + QUARTER_MS },
  { from: TODAY + 10 * DAY_MS, to: TODAY + 11 * DAY_MS },
];
const AGENT_IDS = ['GPTBot', 'ClaudeBot', 'Nobody', 'Unseen'].map(agentId);
const COUNTED_FILTERS: Partial<TimelineFilters> = { type: ['AI Data Scraper'], not_result: ['verified'] };
const FILTERS: Partial<TimelineFilters>[] = [
  {},
  { path: ['/a'] },
  { page: ['/a', ''], not_kind: ['mcp'] },
  { not_address: ['192.0.2.0/24'] },
  { address: ['2001:db8::/32', '198.51.100.200'] },
  { status: [{ from: 400, to: 500 }] },
  { not_status: [{ from: 200, to: 201 }], assistant: ['ChatGPT'] },
  { robots: ['disallowed', 'unknown'] },
  { not_automation: ['likely'], not_operator: ['OpenAI'] },
  { mcp_tool: ['search'] },
  { mcp_version: ['2026-07-28'], not_path: ['/a'] },
  { user_agent_group: ['curl'] },
];

const randomRows = createRandomVisits(1, 4_000, {
  projectIds: [PROJECT, PROJECT, OTHER_PROJECT],
  now: NOW,
  days: DAYS,
});
/** Disallowed visits 24 hours after the agent's only fetch of robots.txt, and a millisecond later. */
const rowsAfterFetch = [0, DAY_MS, DAY_MS + 1].map((age, index) => {
  const at = new Date(TODAY - 3 * DAY_MS + age).toISOString();
  const id = createStableVisitId(TODAY - DAY_MS, `${index}`.repeat(18));
  const robots = { verdict: 'disallowed' as const, version: null, line: null };
  return createVisitRow(PROJECT, id, TODAY - DAY_MS, {
    at,
    agent: 'RareBot',
    path: index === 0 ? '/robots.txt' : '/',
    ...(index > 0 && { insights: { robots } }),
  });
});
const rows = [...randomRows, ...rowsAfterFetch];

let databases: TestDatabase[];
let clickhouse: ClickHouse;
beforeAll(async () => {
  databases = [await startTestDatabase(), await startTestDatabase()];
  const [forPostgresql, forClickHouse] = databases.map(({ dataSource }) => dataSource) as [DataSource, DataSource];
  const options = await createClickHouseDatabase();
  await prepareVisitStore(forClickHouse, options);
  clickhouse = new ClickHouse(options);
  for (const dataSource of [forPostgresql, forClickHouse]) {
    await new PartitionsRepository(dataSource).ensure(
      Array.from({ length: DAYS + 1 }, (_, index) => toDayNumber(NOW) - index),
    );
  }
  await new VisitsRepository(forPostgresql, new VisitFormsRepository(forPostgresql)).store(rows);
  const batches = new BatchesRepository(forClickHouse, clickhouse);
  await new ClickHouseVisitsRepository(forClickHouse, clickhouse, batches).store(rows);
});
afterAll(async () => {
  await clickhouse.close();
  for (const database of databases) await database.stop();
});

/**
 * Expects the same result from both stores.
 *
 * @param normalize Sorts the parts of a result whose order is undefined.
 * @returns the result.
 */
async function expectSameResult<Repository, Result>(
  postgresql: Repository,
  Implementation: new (clickhouse: ClickHouse) => PublicOf<Repository>,
  read: (repository: PublicOf<Repository>, snapshot: Snapshot) => Promise<Result>,
  normalize: (result: Result) => unknown = (result) => result,
): Promise<Result> {
  const [inPostgresql, inClickHouse] = databases.map(({ dataSource }) => createLatestSnapshot(dataSource));
  const expected = await read(postgresql, inPostgresql!);
  const result = await read(new Implementation(clickhouse), inClickHouse!);
  expect(normalize(result)).toEqual(normalize(expected));
  return result;
}

const sorted = <T>(items: readonly T[]): T[] =>
  items.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));

describe('SamplesRepository', () => {
  const postgresql = new SamplesRepository();

  it('returns the same newest visits of an agent', async () => {
    for (const [index, range] of RANGES.entries()) {
      for (const id of AGENT_IDS) {
        const { visits: found } = await expectSameResult(postgresql, ClickHouseSamplesRepository, (samples, snapshot) =>
          samples.sampleAgentVisits(snapshot, PROJECT, id, range),
        );
        if (index === 0 && id === AGENT_IDS[0]) expect(found.length).toBeGreaterThan(100);
      }
    }
  });

  it.each(UNVERIFIED_RESULTS)('returns the same visits and reasons for the result %s', async (result) => {
    for (const range of RANGES) {
      const { visits: unverified } = await expectSameResult(
        postgresql,
        ClickHouseSamplesRepository,
        (samples, snapshot) => samples.sampleUnverifiedVisits(snapshot, PROJECT, range, result),
      );
      const ids = [...unverified.slice(0, 100).map(({ id }) => id), rows.find(({ agentId: id }) => id === null)!.id];
      const reasons = await expectSameResult(postgresql, ClickHouseSamplesRepository, (samples, snapshot) =>
        samples.findReasons(snapshot, ids),
      );
      expect(reasons.size).toBe(ids.length - 1);
    }
  });

  it('counts the same visits per minute', async () => {
    for (const { from } of RANGES) {
      for (const filters of FILTERS) {
        await expectSameResult(
          postgresql,
          ClickHouseSamplesRepository,
          (samples, snapshot) => samples.countByMinute(snapshot, PROJECT, from, filters),
          // PostgreSQL also returns minutes in which no visit matches.
          ({ counts, ...result }) => ({ ...result, counts: counts.filter(({ visits: number }) => number > 0) }),
        );
      }
    }
  });
});

describe('StoredCountsRepository', () => {
  const postgresql = new StoredCountsRepository();
  const PARTS = 20;

  /** Divides a range into slices, two of which belong to each item. Some visits are counted, but not stored. */
  function createPopulation(range: TimeRange, isUnknown: boolean, read: Population['read'] = 'all'): Population {
    const length = (range.to - range.from) / PARTS;
    const slices = Array.from({ length: PARTS }, (_, index) => {
      const [from, to] = [range.from + index * length, range.from + (index + 1) * length];
      const stored = rows.filter(
        (row) =>
          row.projectId === PROJECT &&
          (row.agentId === null) === isUnknown &&
          row.occurredAt >= from &&
          row.occurredAt < to,
      );
      const counted = stored.length === 0 ? 0 : stored.length + (index % 3);
      return { from, to, item: Math.floor(index / 2), counted, max: null };
    });
    return { slices: slices.filter(({ counted }) => counted > 0), read };
  }

  const normalize = ({ counts, types, ...result }: StoredCounts) => ({
    ...result,
    counts: sorted(counts),
    types: sorted(types),
  });

  it('returns the same counts for each filter', async () => {
    for (const range of RANGES.slice(0, 2)) {
      const [agents, unknown] = [createPopulation(range, false), createPopulation(range, true)];
      for (const stored of FILTERS) {
        for (const [index, populations] of [
          { agents, unknown },
          { agents, unknown: null },
          { agents: null, unknown },
        ].entries()) {
          const query = {
            ...populations,
            counted: index === 1 ? COUNTED_FILTERS : {},
            stored,
            lists: index === 0 ? ('agents' as const) : ('all' as const),
            maxRows: index === 2 ? 100 : 3,
          };
          const result = await expectSameResult(
            postgresql,
            ClickHouseStoredCountsRepository,
            (counts, snapshot) => counts.count(snapshot, PROJECT, query),
            normalize,
          );
          if (range === RANGES[0] && index === 0) expect(result.counts.length).toBeGreaterThan(0);
        }
      }
    }
  });

  it('returns the same counts for some agents or for failed visits', async () => {
    const range = RANGES[0]!;
    for (const read of ['failed', { agentIds: AGENT_IDS.slice(0, 2) }, { agentIds: AGENT_IDS.slice(2) }] as const) {
      const agents = createPopulation(range, false, read);
      const unknown = createPopulation(range, true);
      const query = { agents, unknown, counted: {}, stored: { path: ['/a'] }, lists: 'all' as const, maxRows: 5 };
      const { counts } = await expectSameResult(
        postgresql,
        ClickHouseStoredCountsRepository,
        (repository, snapshot) => repository.count(snapshot, PROJECT, query),
        normalize,
      );
      expect(counts.length).toBeGreaterThan(1);
    }
  });
});

const PATTERNS = ['/a*', '*.txt', '/*/*'];

it('sums up the same load', async () => {
  let grouped = 0;
  for (const range of RANGES) {
    for (const filters of FILTERS) {
      for (const by of LOAD_GROUPINGS) {
        const [total, ...groups] = await expectSameResult(
          new LoadRepository(),
          ClickHouseLoadRepository,
          (loads, snapshot) => loads.sum(snapshot, PROJECT, { by, patterns: PATTERNS, filters, ...range }),
          // The percentile is interpolated in floating-point arithmetic.
          (result) => result.map((load) => ({ ...load, p95_us: load.p95_us && Math.round(load.p95_us * 1e3) })),
        );
        expect(groups.reduce((sum, { requests }) => sum + requests, 0)).toBe(total!.requests);
        grouped = Math.max(grouped, groups.length);
      }
    }
  }
  expect(grouped).toBeGreaterThan(10);
});

describe('NewsRepository', () => {
  const postgresql = new NewsRepository();
  const pickFields = ({ failed, earlier }: { failed: FailedVisits[]; earlier: EarlierFailure[] }) => ({
    failed: failed.map(({ agent_id, visits: count, id, client_address }) => [agent_id, count, id, client_address]),
    earlier: sorted(earlier.map(({ agent_id, client_address }) => [agent_id, client_address])),
  });

  it('finds the same failed visits from new networks', async () => {
    for (const range of RANGES) {
      for (const days of [0, 1, 10]) {
        const since = range.from - days * DAY_MS;
        await expectSameResult(
          postgresql,
          ClickHouseNewsRepository,
          (news, snapshot) => news.findFailedVisits(snapshot, PROJECT, range, since),
          pickFields,
        );
      }
    }
    // Most networks have failed before, so search for a short range without earlier visits, too.
    const first = Math.min(...rows.map(({ occurredAt }) => occurredAt));
    const range = { from: first, to: first + DAY_MS / 4 };
    const { failed } = await expectSameResult(
      postgresql,
      ClickHouseNewsRepository,
      (news, snapshot) => news.findFailedVisits(snapshot, PROJECT, range, first - DAY_MS),
      pickFields,
    );
    expect(failed.length).toBeGreaterThan(3);
  });

  it('divides the visits of an agent into the same parts', async () => {
    const agents = [...new Set(rows.map(({ agentId }) => agentId))].filter((id) => id != null).slice(0, 5);
    for (const range of RANGES) {
      const previous = { from: range.from - DAY_MS, to: range.from + DAY_MS / 2 };
      for (const hasSpoofed of [true, false]) {
        for (const agent of agents) {
          await expectSameResult(
            postgresql,
            ClickHouseNewsRepository,
            (news, snapshot) => news.findChangeParts(snapshot, PROJECT, agent, { range, previous, hasSpoofed }),
            sorted,
          );
        }
      }
    }
  });

  it('counts the same visits that claimed to be an agent', async () => {
    const ids = [...new Set(rows.map(({ agentId }) => agentId))].filter((id) => id != null);
    for (const range of RANGES) {
      for (const network of ['0.0.0.0/0', '::/0']) {
        await expectSameResult(
          postgresql,
          ClickHouseNewsRepository,
          (news, snapshot) => news.countClaims(snapshot, PROJECT, { agentIds: ids, network, range }),
          sorted,
        );
      }
    }
  });

  it('finds the same errors', async () => {
    for (const range of RANGES) {
      for (const status of [
        { from: 400, to: 500 },
        { from: 500, to: 600 },
        { from: 600, to: 700 },
      ]) {
        await expectSameResult(postgresql, ClickHouseNewsRepository, (news, snapshot) =>
          news.sampleErrors(snapshot, PROJECT, range, status),
        );
        await expectSameResult(postgresql, ClickHouseNewsRepository, (news, snapshot) =>
          news.countErrors(snapshot, PROJECT, range, status),
        );
      }
    }
  });
});

it('returns the same newest visits of user agent groups', async () => {
  const lengths = [];
  for (const range of RANGES) {
    const groups = [...USER_AGENT_GROUPS, 'unseen', USER_AGENT_GROUPS[0]!].map((group, index) => ({
      group,
      lastAt: range.to - index * DAY_MS,
    }));
    const newest = await expectSameResult(
      new UnlistedAgentsRepository(),
      ClickHouseUnlistedAgentsRepository,
      (unlisted, snapshot) => unlisted.newest(snapshot, PROJECT, range, groups),
    );
    lengths.push(newest.length);
  }
  expect(Math.max(...lengths)).toBeGreaterThan(SAMPLED_VISITS_PER_GROUP);
});

it('compares the same disallowed visits with fetches of robots.txt', async () => {
  const compared = [];
  for (const range of RANGES) {
    const { agents } = await expectSameResult(
      new ComplianceRepository(),
      ClickHouseComplianceRepository,
      (compliance, snapshot) => compliance.disallowedTimes(snapshot, PROJECT, range),
      (result) => ({ ...result, agents: sorted(result.agents) }),
    );
    compared.push(...agents);
  }
  expect(compared.some(({ judged, read_before: readBefore }) => readBefore > 0 && readBefore < judged)).toBe(true);
});

it('returns the same paths by agent', async () => {
  const lengths = [];
  for (const range of RANGES) {
    const agents = await expectSameResult(
      new VisitPathsRepository(),
      ClickHouseVisitPathsRepository,
      (paths, snapshot) =>
        paths.findByAgent(snapshot, PROJECT, [{ ...range, item: 0, counted: 1, max: null }], AGENT_IDS),
      (result) =>
        sorted(
          result.map((agent) => ({
            id: agent.agent_id,
            visits: sorted(agent.paths.map((path, index) => [path, agent.visits[index]])),
          })),
        ),
    );
    lengths.push(agents.length);
  }
  expect(Math.max(...lengths)).toBe(3);
});

it('counts the same user agents of unknown visitors', async () => {
  const lengths = [];
  for (const { from } of RANGES) {
    const { counts } = await expectSameResult(
      new ProposalVisitsRepository(),
      ClickHouseProposalVisitsRepository,
      (proposals, snapshot) => proposals.countUserAgents(snapshot, from),
      (result) => ({ ...result, counts: sorted(result.counts) }),
    );
    lengths.push(counts.length);
  }
  expect(Math.max(...lengths)).toBeGreaterThan(5);
});
