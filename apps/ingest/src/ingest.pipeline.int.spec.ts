import { randomBytes } from 'node:crypto';
import { jest } from '@jest/globals';
import { InMemoryPubSub } from '#libs/cache';
import { getFirstIdAt, createBatchId, createVisitId, visitsChannel, type EnrichedVisit } from '#libs/contracts';
import { connectionPool, SHARD_LOCK_KEY } from '#libs/database';
import type { PoolClient } from 'pg';
import { pino } from 'pino';
import type { DataSource } from 'typeorm';
import type { EnrichedEvent } from '#libs/bus';
import {
  CountRollupsRepository,
  toDayNumber,
  PartitionsRepository,
  VisitFormsRepository,
  type VisitRow,
  VisitsRepository,
} from '#libs/visit-store';
import { enrichedEvent as message } from '../../../test/kit/enriched-event.js';
import { until } from '../../../test/kit/instance.js';
import { startTestDatabase, type TestDatabase } from '../../../test/kit/database.js';
import { IngestPipeline } from './ingest.pipeline.js';
import { toVisitRow } from './steps/visit-row.step.js';

const PROJECT = '019a0000-0000-7000-8000-000000000001';
const OTHER_PROJECT = '019a0000-0000-7000-8000-000000000002';
const AGENT = '3c00155e-c06b-5ee8-a7c8-57e6328803d2';
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

interface VisitOptions {
  project?: string;
  path?: string;
  occurred?: number;
  agent?: boolean;
  kept_as?: 'reduced' | 'counted';
}

const createVisit = (id: string, extra: VisitOptions = {}) =>
  ({
    ...(extra.kept_as && { kept_as: extra.kept_as }),
    id,
    project_id: extra.project ?? PROJECT,
    received_at: new Date().toISOString(),
    occurred_at: new Date(extra.occurred ?? Date.now()).toISOString(),
    client_address: null,
    visit: { request_path: extra.path ?? '/', request_method: 'GET', request_headers: {}, response_status_code: 200 },
    identification: {
      result: extra.agent ? 'not_verifiable' : 'unknown_agent',
      agent_id: extra.agent ? AGENT : null,
      agent_token: extra.agent ? 'Googlebot' : null,
      agent_url: null,
      agent_type_name: extra.agent ? 'Search Engine Crawler' : null,
      operator_name: null,
      method: null,
      reason: null,
      evidence: {},
      catalog_version: 'v',
    },
  }) satisfies EnrichedVisit;

describe('IngestPipeline', () => {
  let database: TestDatabase;
  let pipeline: IngestPipeline;
  /** Pipelines with separate repositories, like those in other processes. */
  let others: IngestPipeline[];
  let visits: VisitsRepository;
  let partitions: PartitionsRepository;
  const pubSub = new InMemoryPubSub();

  beforeAll(async () => {
    database = await startTestDatabase();
    visits = newRepository();
    partitions = new PartitionsRepository(database.dataSource);
    pipeline = newPipeline(visits);
    others = Array.from({ length: 3 }, () => newPipeline(newRepository()));
  });
  afterAll(() => database.stop());
  afterEach(async () => {
    await database.dataSource.query(
      `TRUNCATE visits, unknown_visits, visit_positions, visit_counts, visit_top_counts, visit_day_counts, visit_hour_counts,
         visit_hour_top_counts, visit_day_top_counts, visit_open_hours, visit_open_days`,
    );
  });

  const newRepository = (): VisitsRepository =>
    new VisitsRepository(database.dataSource, new VisitFormsRepository(database.dataSource));
  const newPipeline = (repository: VisitsRepository): IngestPipeline =>
    new IngestPipeline(repository, partitions, pubSub, { days: 90, unknownDays: 90 }, pino({ level: 'silent' }));
  const query = <T>(sql: string): Promise<T[]> => database.dataSource.query(sql) as Promise<T[]>;
  const rollUp = async (now = new Date(Date.now() + 2 * DAY_MS)): Promise<void> => {
    const repository = new CountRollupsRepository(database.dataSource);
    for (const day of await repository.due(now, 0)) await repository.rollUp(day, now);
  };
  /**
   * Runs `work`. Each call to `lockNextShard` locks the next shard in the list, so that visits are stored in a
   * different one.
   */
  const withLockedShards = async (
    shards: number[],
    work: (lockNextShard: () => Promise<void>) => Promise<void>,
  ): Promise<void> => {
    const session = await connectionPool(database.dataSource).connect();
    const remainingShards = shards.values();
    const lockNextShard = async (): Promise<void> => {
      await session.query(`SELECT pg_advisory_lock(${SHARD_LOCK_KEY}, $1)`, [remainingShards.next().value]);
    };
    await work(lockNextShard).finally(() => session.query('SELECT pg_advisory_unlock_all()'));
    session.release();
  };
  const ROLLUP_TABLES = ['visit_day_counts', 'visit_hour_counts', 'visit_day_top_counts'];
  const rollUpAndCount = async () => {
    await rollUp();
    for (const table of ROLLUP_TABLES) {
      const dimension = table.includes('top') ? `dimension LIKE '%page'` : 'true';
      const [row] = await query<{ same: boolean }>(`SELECT
        (SELECT sum(visits) FROM ${table} WHERE ${dimension}) IS NOT DISTINCT FROM
        (SELECT sum(visits) FROM visit_counts) AS same`);
      expect([table, row]).toEqual([table, { same: true }]);
    }
    const [row] = await query<Record<string, number>>(`SELECT
      (SELECT count(*)::int FROM visits_full) AS visits,
      (SELECT coalesce(sum(visits), 0)::int FROM visit_counts) AS counts,
      (SELECT coalesce(sum(visits), 0)::int FROM visit_top_counts WHERE dimension LIKE '%page') AS pages,
      (SELECT coalesce(sum(visits), 0)::int FROM visit_top_counts WHERE dimension LIKE '%status') AS statuses`);
    return row;
  };
  const createBatch = (count: number, extra: Parameters<typeof createVisit>[1] = {}) => {
    const batch = createBatchId();
    return Array.from({ length: count }, (_, index) => message(createVisit(createVisitId(batch, index), extra)));
  };

  it('stores and counts a redelivered visit only once', async () => {
    const messages = [...createBatch(5, { agent: true }), ...createBatch(5)];
    const announced: string[] = [];
    const stop = pubSub.subscribe(visitsChannel(PROJECT), () => announced.push(PROJECT));
    for (const delivery of [
      messages,
      messages,
      [...messages, ...messages],
      [...messages.slice(3), ...createBatch(1)],
    ]) {
      expect((await pipeline.run(delivery)).every(({ kind }) => kind === 'ok')).toBe(true);
    }
    stop();
    expect(await rollUpAndCount()).toEqual({ visits: 11, counts: 11, pages: 11, statuses: 11 });
    // Only deliveries with new visits are announced.
    expect(announced).toHaveLength(2);
    expect(await query(`SELECT agent_id, result, visits::int FROM visit_counts ORDER BY result`)).toEqual([
      { agent_id: AGENT, result: 'not_verifiable', visits: 5 },
      { agent_id: '00000000-0000-0000-0000-000000000000', result: 'unknown_agent', visits: 6 },
    ]);
  });

  it('stores new visits that are delivered alongside redelivered ones', async () => {
    const repository = newRepository();
    const agents = createBatch(3, { agent: true });
    const unknown = createBatch(3);
    const repeated = newPipeline(repository);
    await repeated.run([...agents, ...unknown]);
    // The repository hasn't seen a redelivery yet.
    for (const delivery of [
      [...createBatch(2), ...agents],
      [...unknown, ...createBatch(2)],
      createBatch(2),
      [...createBatch(1), ...unknown],
    ]) {
      expect((await repeated.run(delivery)).every(({ kind }) => kind === 'ok')).toBe(true);
    }
    expect(await rollUpAndCount()).toEqual({ visits: 13, counts: 13, pages: 13, statuses: 13 });
    expect(await query(`SELECT position::int FROM visit_positions`)).toEqual([{ position: 13 }]);
  });

  it('normalizes agent IDs and status codes in counts', async () => {
    const [first, second, third] = createBatch(3, { agent: true }).map(({ visit }) => structuredClone(visit)) as [
      EnrichedVisit,
      EnrichedVisit,
      EnrichedVisit,
    ];
    second.identification.agent_id = AGENT.toUpperCase();
    third.visit.response_status_code = 1e15;
    await pipeline.run([first, second, third].map(message));
    expect(await query(`SELECT agent_id, visits::int FROM visit_counts`)).toEqual([{ agent_id: AGENT, visits: 3 }]);
    expect(await query(`SELECT value FROM visit_top_counts WHERE dimension = 'agent_status' ORDER BY value`)).toEqual([
      { value: '1e+15' },
      { value: '200' },
    ]);
  });

  describe('unknown visitors and agents', () => {
    const rows = () =>
      query<{ name: string; ids: number; visits: number }>(
        `SELECT 'agents' AS name, count(*)::int AS ids, count(*)::int AS visits FROM visits
         UNION ALL SELECT 'unknown', count(*)::int, count(project_id)::int FROM unknown_visits`,
      );
    const batch = createBatchId();
    const ids = (count: number) => Array.from({ length: count }, (_, index) => createVisitId(batch, index));
    const createAgentEvent = (id: string) => message(createVisit(id, { agent: true }));
    const createUnknownEvent = (id: string) => message(createVisit(id));
    const createCountedEvent = (id: string) => message(createVisit(id, { kept_as: 'counted' }));

    it('stores agents and unknown visitors in separate tables but all IDs in the same one', async () => {
      await pipeline.run([...ids(2).map(createAgentEvent), ...ids(5).slice(2).map(createUnknownEvent)]);
      expect(await rows()).toEqual([
        { name: 'agents', ids: 2, visits: 2 },
        { name: 'unknown', ids: 5, visits: 3 },
      ]);
      expect(await query(`SELECT result, count(*)::int FROM visits_full GROUP BY 1 ORDER BY 1`)).toEqual([
        { result: 'not_verifiable', count: 2 },
        { result: 'unknown_agent', count: 3 },
      ]);
    });

    it.each([
      ['first unknown, then an agent', createUnknownEvent, createAgentEvent],
      ['first an agent, then unknown', createAgentEvent, createUnknownEvent],
      ['first stored, then only counted', createUnknownEvent, createCountedEvent],
      ['first only counted, then stored', createCountedEvent, createUnknownEvent],
      ['first only counted, then an agent', createCountedEvent, createAgentEvent],
      ['first an agent, then only counted', createAgentEvent, createCountedEvent],
    ])('counts a redelivered visit once if it is %s', async (_, first, second) => {
      await pipeline.run(ids(3).map(first));
      const before = await rows();
      await pipeline.run(ids(3).map(second));
      // Deliver both variants in the same batch.
      await pipeline.run([...ids(3).map(second), ...ids(4).map(first), ...ids(4).map(second)]);
      expect((await rollUpAndCount())!['counts']).toBe(4);
      expect((await rows()).map(({ visits }) => visits)).toEqual(before.map(({ visits }) => (visits * 4) / 3));
    });

    it('stores a visit once when concurrent writers identify its visitor differently', async () => {
      for (let round = 0; round < 10; round += 1) {
        const round = createBatchId();
        const all = Array.from({ length: 200 }, (_, index) => createVisitId(round, index));
        const kinds = [createAgentEvent, createUnknownEvent, createCountedEvent];
        await Promise.all(
          [pipeline, ...others].map((one, writer) => one.run(all.map((id, index) => kinds[(index + writer) % 3]!(id)))),
        );
      }
      const [agents, unknown] = await rows();
      expect(unknown!.ids).toBe(2_000);
      const [counts] = await query<Record<string, number>>(
        `SELECT sum(visits)::int AS counted, sum(visits) FILTER (WHERE agent_id = '${AGENT}')::int AS agents FROM visit_counts`,
      );
      expect(counts).toEqual({ counted: 2_000, agents: agents!.visits });
      expect(await query(`SELECT FROM visits JOIN unknown_visits u USING (id) WHERE u.project_id IS NOT NULL`)).toEqual(
        [],
      );
    });

    it('stores only the ID of a visit that is only counted, but counts it like any other', async () => {
      await pipeline.run(ids(3).map(createCountedEvent));
      await pipeline.run(ids(3).map(createCountedEvent));
      expect(await rollUpAndCount()).toEqual({ visits: 0, counts: 3, pages: 3, statuses: 3 });
      const stored = await query<{ visit: object }>(
        `SELECT jsonb_strip_nulls(to_jsonb(v)) AS visit FROM unknown_visits v ORDER BY id`,
      );
      expect(stored.map(({ visit }) => visit)).toEqual(ids(3).map((id) => ({ id })));
    });

    it('applies the retention for unknown visitors without dropping visits by agents', async () => {
      const short = new IngestPipeline(
        newRepository(),
        partitions,
        pubSub,
        { days: 90, unknownDays: 7 },
        pino({ level: 'silent' }),
      );
      const old = createVisitId(createBatchId(Date.now() - 8 * DAY_MS), 0);
      const [unknown, agent] = await short.run([
        createUnknownEvent(old),
        createAgentEvent(createVisitId(createBatchId(Date.now() - 8 * DAY_MS), 1)),
      ]);
      expect([unknown, agent]).toEqual([{ kind: 'drop', reason: 'past_retention' }, { kind: 'ok' }]);
      expect((await partitions.dropBefore('unknown', toDayNumber(Date.now()) - 7)).length).toBeGreaterThan(0);
      expect(await short.run([createAgentEvent(old)])).toEqual([{ kind: 'ok' }]);
      expect(await rollUpAndCount()).toMatchObject({ visits: 2, counts: 2 });
    });
  });

  it('counts each visit once when it is delivered concurrently', async () => {
    const messages = [...createBatch(200), ...createBatch(200, { project: OTHER_PROJECT })];
    const reversed = messages.toReversed();
    await Promise.all(
      [messages, reversed, messages, reversed].map((delivery, index) => [pipeline, ...others][index]!.run(delivery)),
    );
    expect(await rollUpAndCount()).toEqual({ visits: 400, counts: 400, pages: 400, statuses: 400 });
    const positions = await query<{ ok: boolean }>(
      `SELECT count(DISTINCT position) = 200 AND max(position & (1::bigint << 56) - 1) <= 800 AS ok
       FROM visits_full GROUP BY project_id`,
    );
    expect(positions).toEqual([{ ok: true }, { ok: true }]);
  });

  it('assigns positions within a shard in commit order', async () => {
    const seen: bigint[] = [];
    const last = new Map<number, bigint>();
    const readPositions = async (): Promise<void> => {
      const rows = await query<{ shard: number; position: string }>(
        `SELECT position >> 56 AS shard, position FROM visits_full ORDER BY position`,
      );
      const before = new Map(last);
      for (const { shard, position } of rows) {
        if (BigInt(position) <= (before.get(shard) ?? 0n)) continue;
        seen.push(BigInt(position));
        last.set(shard, BigInt(position));
      }
    };
    const done = new AbortController();
    const reader = (async () => {
      while (!done.signal.aborted) await readPositions();
      await readPositions();
    })();
    const store = (): Promise<unknown> =>
      Promise.all(
        [pipeline, ...others].flatMap((eachPipeline) =>
          Array.from({ length: 5 }, () => eachPipeline.run(createBatch(20))),
        ),
      );
    const client = await connectionPool(database.dataSource).connect();
    // Without this lock, a fast machine might store the batches one after another, all in the first shard.
    await client.query('SELECT pg_advisory_lock($1, 0)', [SHARD_LOCK_KEY]);
    await store();
    await client.query('SELECT pg_advisory_unlock($1, 0)', [SHARD_LOCK_KEY]);
    client.release();
    await store();
    done.abort();
    await reader;
    expect(seen).toHaveLength(800);
    expect(last.size).toBeGreaterThan(1);
  });

  describe('while another transaction stores visits for the same project', () => {
    let client: PoolClient;
    /** Stores visits within the open transaction. */
    let concurrentRepository: VisitsRepository;

    beforeEach(async () => {
      client = await connectionPool(database.dataSource).connect();
      await client.query('BEGIN');
      const runner = { connect: async () => client, release: async () => undefined };
      const dataSource = { createQueryRunner: () => runner } as unknown as DataSource;
      concurrentRepository = new VisitsRepository(dataSource, new VisitFormsRepository(database.dataSource));
    });
    afterEach(async () => {
      await client.query('ROLLBACK');
      client.release();
    });

    const toRows = (events: readonly EnrichedEvent[]): VisitRow[] =>
      events.map(({ visit }) => {
        const row = toVisitRow(visit, Date.now(), { days: 90, unknownDays: 90 });
        if (!row.ok) throw new Error('no visit');
        return row.value;
      });

    it('stores and counts visits without waiting for a concurrent transaction in the same project', async () => {
      // Creates all rows that the stores below update.
      await Promise.all([pipeline, ...others].map((eachPipeline) => eachPipeline.run(createBatch(1))));
      const [first, second] = [createBatch(3), createBatch(4)];
      await concurrentRepository.store(toRows(first));
      await pipeline.run(second);
      expect(await query(`SELECT count(*)::int AS visits FROM visits_full`)).toEqual([{ visits: 8 }]);
      await client.query('COMMIT');
      expect(await rollUpAndCount()).toEqual({ visits: 11, counts: 11, pages: 11, statuses: 11 });
    });

    it('stores a visit once if two concurrent transactions contain it', async () => {
      const messages = createBatch(3);
      await concurrentRepository.store(toRows(messages));
      const second = pipeline.run([...messages, ...createBatch(1)]);
      await until(async () => (await query(`SELECT FROM pg_locks WHERE NOT granted`)).length > 0, {
        condition: 'the pipeline waits for the lock',
      });
      await client.query('COMMIT');
      await second;
      expect(await rollUpAndCount()).toEqual({ visits: 4, counts: 4, pages: 4, statuses: 4 });
    });

    it('waits for a concurrent transaction before rolling up an hour that contains visits from both', async () => {
      const hour = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS;
      await pipeline.run(createBatch(1, { occurred: hour }));
      await concurrentRepository.store(toRows(createBatch(1, { occurred: hour })));
      let isDone = false;
      const rollingUp = rollUp().then(() => (isDone = true));
      const isWaiting = async () => (await query(`SELECT FROM pg_locks WHERE NOT granted`)).length > 0;
      await until(async () => isDone || (await isWaiting()), { condition: 'the roll-up waits for the lock' });
      await client.query('COMMIT');
      await rollingUp;
      expect(await query(`SELECT visits::int FROM visit_day_counts`)).toEqual([{ visits: 2 }]);
    });

    it("rolls up an hour again if a concurrent transaction adds a shard's first visits", async () => {
      const hour = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS;
      await pipeline.run(createBatch(1, { occurred: hour }));
      await withLockedShards([0], async (lockNextShard) => {
        await lockNextShard();
        await concurrentRepository.store(toRows(createBatch(1, { occurred: hour })));
      });
      await rollUp();
      expect(await query(`SELECT visits::int FROM visit_day_counts`)).toEqual([{ visits: 1 }]);
      await client.query('COMMIT');
      expect(await rollUpAndCount()).toMatchObject({ visits: 2, counts: 2 });
    });
  });

  it("merges a past hour's counts into one shard, up to the page limit", async () => {
    const hour = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS;
    const state = () =>
      query(`SELECT count(DISTINCT shard)::int AS shards, count(DISTINCT value)::int AS pages,
               sum(visits)::int AS visits, (sum(visits) FILTER (WHERE value = '/0/0'))::int AS of_all
             FROM visit_top_counts WHERE dimension = 'page'`);
    await withLockedShards([0, 1, 2], async (lockNextShard) => {
      for (const shard of [0, 1, 2]) {
        const batch = createBatchId();
        const many = Array.from({ length: 150 }, (_, index) =>
          message(createVisit(createVisitId(batch, index), { path: `/${shard}/${index}`, occurred: hour })),
        );
        await pipeline.run([...many, ...createBatch(shard, { path: '/0/0', occurred: hour })]);
        await lockNextShard();
      }
    });
    expect(await state()).toEqual([{ shards: 3, pages: 201, visits: 453, of_all: 4 }]);
    expect(await rollUpAndCount()).toEqual({ visits: 453, counts: 453, pages: 453, statuses: 453 });
    expect(await state()).toEqual([{ shards: 1, pages: 201, visits: 453, of_all: 4 }]);
    expect(await query(`SELECT DISTINCT shard FROM visit_counts`)).toEqual([{ shard: 0 }]);
  });

  it('fills the page limit when it merges shards with different pages', async () => {
    const hour = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS;
    const store = (name: string): Promise<unknown> => {
      const batch = createBatchId();
      return pipeline.run(
        Array.from({ length: 150 }, (_, index) =>
          message(createVisit(createVisitId(batch, index), { path: `/${name}/${index}`, occurred: hour })),
        ),
      );
    };
    await withLockedShards([0], async (lockNextShard) => {
      await lockNextShard();
      await store('second');
    });
    await store('first');
    expect(await rollUpAndCount()).toEqual({ visits: 300, counts: 300, pages: 300, statuses: 300 });
    expect(
      await query(
        `SELECT count(DISTINCT value)::int AS pages FROM visit_top_counts WHERE dimension = 'page' AND value <> ''`,
      ),
    ).toEqual([{ pages: 200 }]);
  });

  it('dead-letters a row that the database rejects and stores the others', async () => {
    const messages = createBatch(9);
    const store = visits.store.bind(visits);
    const rejectedId = messages[4]!.visit.id;
    jest
      .spyOn(visits, 'store')
      .mockImplementation((rows) =>
        store(rows.map((row) => (row.id === rejectedId ? { ...row, kinds: 99_999 } : row))),
      );
    const outcomes = await pipeline.run(messages);
    jest.restoreAllMocks();
    expect(outcomes.map(({ kind }) => kind)).toEqual([...Array(4).fill('ok'), 'dead-letter', ...Array(4).fill('ok')]);
    expect(outcomes[4]).toMatchObject({ reason: 'refused_by_database', detail: expect.stringContaining('22003') });
    expect(await rollUpAndCount()).toMatchObject({ visits: 8, counts: 8 });
  });

  it('stores a tool name that is too long for an index entry', async () => {
    const tool = randomBytes(6_000).toString('hex');
    const visit = createVisit(createVisitId(createBatchId(), 0));
    const called = { ...visit, visit: { ...visit.visit, mcp_request_tool_name: tool } };
    expect(await pipeline.run([message(called)])).toEqual([{ kind: 'ok' }]);
    expect(await query(`SELECT mcp_tool FROM visits_full`)).toEqual([{ mcp_tool: tool }]);
  });

  it('creates a missing partition and recreates a dropped one on retry', async () => {
    const old = createBatchId(Date.now() - 5 * DAY_MS);
    const agentOptions = { agent: true };
    await pipeline.run([message(createVisit(createVisitId(old, 0), agentOptions))]);
    const day = toDayNumber(Date.now() - 5 * DAY_MS);
    const [{ name }] = (await query<{ name: string }>(
      `SELECT tableoid::regclass::text AS name FROM visits WHERE id = '${old}'`,
    )) as [{ name: string }];
    expect(name).toBe(`visits_${new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')}`);
    await query(`DROP TABLE ${name}`);
    await expect(pipeline.run([message(createVisit(createVisitId(old, 1), agentOptions))])).rejects.toThrow(
      'could not store the visits',
    );
    expect(await pipeline.run([message(createVisit(createVisitId(old, 1), agentOptions))])).toEqual([{ kind: 'ok' }]);
  });

  it('drops only partitions before the given day', async () => {
    const today = toDayNumber(Date.now());
    await partitions.ensure([today - 100, today - 91, today - 90, today]);
    const dropped = await partitions.dropBefore('agents', today - 90);
    expect(dropped).toHaveLength(2);
    expect(await partitions.dropBefore('unknown', today - 90)).toEqual(dropped);
    const [{ names }] = (await query<{ names: number }>(
      `SELECT count(*)::int AS names FROM pg_inherits WHERE inhparent = 'visits'::regclass`,
    )) as [{ names: number }];
    expect(names).toBeGreaterThanOrEqual(2);
    expect(getFirstIdAt((today - 90) * DAY_MS) < getFirstIdAt(today * DAY_MS)).toBe(true);
  });

  it('limits the number of counted pages without losing visits', async () => {
    const batch = createBatchId();
    const occurred = Date.now();
    const many = Array.from({ length: 600 }, (_, index) =>
      message(createVisit(createVisitId(batch, index), { path: `/page/${index % 300}?q=${index}`, occurred })),
    );
    await pipeline.run(many.slice(0, 100));
    await pipeline.run(many.slice(100));
    const [row] = await query<{ pages: number; sum: number; other: number }>(
      `SELECT count(*)::int AS pages, sum(visits)::int AS sum, (sum(visits) FILTER (WHERE value = ''))::int AS other
       FROM visit_top_counts WHERE dimension = 'page'`,
    );
    expect(row).toEqual({ pages: 201, sum: 600, other: 200 });
  });

  it('limits the number of pages counted per day, and records the time of the latest visit in each count', async () => {
    const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS;
    for (let quarter = 0; quarter < 6; quarter += 1) {
      const batch = createBatchId();
      await pipeline.run(
        Array.from({ length: 200 }, (_, index) => {
          const occurred = midnight + quarter * 15 * MINUTE_MS + index;
          return message(createVisit(createVisitId(batch, index), { path: `/${quarter}/${index}`, occurred }));
        }),
      );
    }
    await rollUp();
    const [row] = await query<{ pages: number; sum: number; other: number }>(
      `SELECT count(*)::int AS pages, sum(visits)::int AS sum, (sum(visits) FILTER (WHERE value = ''))::int AS other
       FROM visit_day_top_counts WHERE dimension = 'page'`,
    );
    expect(row).toEqual({ pages: 201, sum: 1_200, other: 1_000 });
    const newest = midnight + 5 * 15 * MINUTE_MS + 199;
    for (const table of ['visit_counts', 'visit_day_counts', 'visit_hour_counts']) {
      const [last] = await query<{ at: Date }>(`SELECT max(last_at) AS at FROM ${table}`);
      expect([table, last!.at.getTime()]).toEqual([table, newest]);
    }
    // A late visit with an earlier time doesn't change it.
    await pipeline.run([message(createVisit(createVisitId(createBatchId(), 0), { occurred: newest - 100 }))]);
    const [last] = await query<{ at: Date }>(`SELECT max(last_at) AS at FROM visit_counts`);
    expect(last!.at.getTime()).toBe(newest);
  });

  it('rolls up past hours, and again when late visits arrive', async () => {
    const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS;
    const at = (hour: number, minute = 0): number => midnight + hour * 60 * MINUTE_MS + minute * MINUTE_MS;
    const store = (...times: number[]) => pipeline.run(times.flatMap((occurred) => createBatch(1, { occurred })));
    const state = async () => {
      const [row] = await query<Record<string, number>>(`SELECT
        (SELECT count(*)::int FROM visit_open_hours) AS hours, (SELECT count(*)::int FROM visit_open_days) AS days,
        (SELECT coalesce(sum(visits), 0)::int FROM visit_hour_counts) AS in_hours,
        (SELECT coalesce(sum(visits), 0)::int FROM visit_day_counts) AS in_days`);
      return row;
    };
    await store(at(1), at(1, 59), at(2), at(3));
    expect(await state()).toEqual({ hours: 3, days: 0, in_hours: 0, in_days: 0 });
    await rollUp(new Date(at(3, 30)));
    expect(await state()).toEqual({ hours: 1, days: 1, in_hours: 3, in_days: 0 });
    await rollUp(new Date(at(24)));
    expect(await state()).toEqual({ hours: 0, days: 0, in_hours: 4, in_days: 4 });
    await store(at(1, 30));
    expect(await state()).toEqual({ hours: 1, days: 0, in_hours: 4, in_days: 4 });
    const repository = new CountRollupsRepository(database.dataSource);
    expect(await repository.due(new Date(at(24)), 60)).toEqual([]);
    await rollUp(new Date(at(24)));
    expect(await state()).toEqual({ hours: 0, days: 0, in_hours: 5, in_days: 5 });
  });

  it('loses no visits when roll-ups run while visits are being stored', async () => {
    const hour = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS;
    const done = new AbortController();
    const rollingUp = (async () => {
      while (!done.signal.aborted) await Promise.all([rollUp(), rollUp()]);
    })();
    const store = (by: IngestPipeline) =>
      by.run([...createBatch(5, { occurred: hour }), ...createBatch(5, { occurred: hour + 2 * MINUTE_MS })]);
    for (let round = 0; round < 30; round += 1) await Promise.all(others.map(store));
    done.abort();
    await rollingUp;
    expect(await rollUpAndCount()).toMatchObject({ visits: 900, counts: 900 });
  });
});
