import { randomBytes } from 'node:crypto';
import { jest } from '@jest/globals';
import { InMemoryPubSub } from '#libs/cache';
import { firstIdAt, newBatchId, visitId, visitsChannel, type EnrichedVisit } from '#libs/contracts';
import { connectionPool, SHARD_LOCKS } from '#libs/database';
import type { PoolClient } from 'pg';
import { pino } from 'pino';
import type { DataSource } from 'typeorm';
import type { EnrichedEvent } from '#libs/bus';
import {
  CountSumsRepository,
  dayOf,
  PartitionsRepository,
  VisitFormsRepository,
  type VisitRow,
  VisitsRepository,
} from '#libs/visit-store';
import { enrichedEvent as message } from '../../../test/kit/enriched-event.js';
import { until } from '../../../test/kit/instance.js';
import { startTestDatabase, type TestDatabase } from '../../../test/kit/database.js';
import { IngestPipeline } from './ingest.pipeline.js';
import { visitRow } from './steps/visit-row.step.js';

const PROJECT = '019a0000-0000-7000-8000-000000000001';
const OTHER = '019a0000-0000-7000-8000-000000000002';
const AGENT = '3c00155e-c06b-5ee8-a7c8-57e6328803d2';
const MINUTE = 60_000;
const DAY = 86_400_000;

interface Extra {
  project?: string;
  path?: string;
  occurred?: number;
  agent?: boolean;
  kept_as?: 'reduced' | 'counted';
}

const enriched = (id: string, extra: Extra = {}) =>
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
  /** Pipelines with their own repositories, like those of other processes. */
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
         visit_hour_type_counts, visit_hour_top_counts, visit_rest_top_counts, visit_day_top_counts, visit_open_hours, visit_open_days`,
    );
  });

  const newRepository = (): VisitsRepository =>
    new VisitsRepository(database.dataSource, new VisitFormsRepository(database.dataSource));
  const newPipeline = (repository: VisitsRepository): IngestPipeline =>
    new IngestPipeline(repository, partitions, pubSub, { days: 90, unknownDays: 90 }, pino({ level: 'silent' }));
  const query = <T>(sql: string): Promise<T[]> => database.dataSource.query(sql) as Promise<T[]>;
  const sumUp = async (now = new Date(Date.now() + 2 * DAY)): Promise<void> => {
    const repository = new CountSumsRepository(database.dataSource);
    for (const day of await repository.due(now, 0)) await repository.sumUp(day, now);
  };
  /** Runs `work`. Each call of `take` locks the next of `shards`, so that visits are stored in another one. */
  const withShards = async (shards: number[], work: (take: () => Promise<void>) => Promise<void>): Promise<void> => {
    const session = await connectionPool(database.dataSource).connect();
    const left = shards.values();
    const take = async (): Promise<void> => {
      await session.query(`SELECT pg_advisory_lock(${SHARD_LOCKS}, $1)`, [left.next().value]);
    };
    await work(take).finally(() => session.query('SELECT pg_advisory_unlock_all()'));
    session.release();
  };
  const SUMS = ['visit_day_counts', 'visit_hour_counts', 'visit_hour_type_counts', 'visit_day_top_counts'];
  const sums = async () => {
    await sumUp();
    for (const table of SUMS) {
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
  const batchOf = (count: number, extra: Parameters<typeof enriched>[1] = {}) => {
    const batch = newBatchId();
    return Array.from({ length: count }, (_, index) => message(enriched(visitId(batch, index), extra)));
  };

  it('stores and counts a redelivered visit once', async () => {
    const messages = [...batchOf(5, { agent: true }), ...batchOf(5)];
    const announced: string[] = [];
    const stop = pubSub.subscribe(visitsChannel(PROJECT), () => announced.push(PROJECT));
    for (const delivery of [messages, messages, [...messages, ...messages], [...messages.slice(3), ...batchOf(1)]]) {
      expect((await pipeline.run(delivery)).every(({ kind }) => kind === 'ok')).toBe(true);
    }
    stop();
    expect(await sums()).toEqual({ visits: 11, counts: 11, pages: 11, statuses: 11 });
    // Only deliveries that stored something are announced.
    expect(announced).toHaveLength(2);
    expect(await query(`SELECT agent_id, result, visits::int FROM visit_counts ORDER BY result`)).toEqual([
      { agent_id: AGENT, result: 'not_verifiable', visits: 5 },
      { agent_id: '00000000-0000-0000-0000-000000000000', result: 'unknown_agent', visits: 6 },
    ]);
  });

  it('stores new visits next to redelivered ones, whether redelivery is expected or not', async () => {
    const repository = newRepository();
    const agents = batchOf(3, { agent: true });
    const unknown = batchOf(3);
    const repeated = newPipeline(repository);
    await repeated.run([...agents, ...unknown]);
    // The repository has seen no redelivery so far.
    for (const delivery of [
      [...batchOf(2), ...agents],
      [...unknown, ...batchOf(2)],
      batchOf(2),
      [...batchOf(1), ...unknown],
    ]) {
      expect((await repeated.run(delivery)).every(({ kind }) => kind === 'ok')).toBe(true);
    }
    expect(await sums()).toEqual({ visits: 13, counts: 13, pages: 13, statuses: 13 });
    expect(await query(`SELECT position::int FROM visit_positions`)).toEqual([{ position: 13 }]);
  });

  it('normalizes agent IDs and status codes in counts', async () => {
    const [first, second, third] = batchOf(3, { agent: true }).map(({ visit }) => structuredClone(visit)) as [
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
    const batch = newBatchId();
    const ids = (count: number) => Array.from({ length: count }, (_, index) => visitId(batch, index));
    const agentOf = (id: string) => message(enriched(id, { agent: true }));
    const unknownOf = (id: string) => message(enriched(id));
    const countedOf = (id: string) => message(enriched(id, { kept_as: 'counted' }));

    it('stores agents and unknown visitors in separate tables, and all IDs in one', async () => {
      await pipeline.run([...ids(2).map(agentOf), ...ids(5).slice(2).map(unknownOf)]);
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
      ['an agent after it was unknown', unknownOf, agentOf],
      ['unknown after it was an agent', agentOf, unknownOf],
      ['counted after it was kept', unknownOf, countedOf],
      ['kept after it was counted', countedOf, unknownOf],
      ['an agent after it was counted', countedOf, agentOf],
      ['counted after it was an agent', agentOf, countedOf],
    ])('stores a visit once if it is %s', async (_, first, second) => {
      await pipeline.run(ids(3).map(first));
      const before = await rows();
      await pipeline.run(ids(3).map(second));
      // Both variants in one batch.
      await pipeline.run([...ids(3).map(second), ...ids(4).map(first), ...ids(4).map(second)]);
      expect((await sums())!['counts']).toBe(4);
      expect((await rows()).map(({ visits }) => visits)).toEqual(before.map(({ visits }) => (visits * 4) / 3));
    });

    it('stores a visit once when concurrent writers identify its visitor differently', async () => {
      for (let round = 0; round < 10; round += 1) {
        const round = newBatchId();
        const all = Array.from({ length: 200 }, (_, index) => visitId(round, index));
        const kinds = [agentOf, unknownOf, countedOf];
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

    it('stores only the ID of a counted visit, and counts it like any other', async () => {
      await pipeline.run(ids(3).map(countedOf));
      await pipeline.run(ids(3).map(countedOf));
      expect(await sums()).toEqual({ visits: 0, counts: 3, pages: 3, statuses: 3 });
      const stored = await query<{ visit: object }>(
        `SELECT jsonb_strip_nulls(to_jsonb(v)) AS visit FROM unknown_visits v ORDER BY id`,
      );
      expect(stored.map(({ visit }) => visit)).toEqual(ids(3).map((id) => ({ id })));
    });

    it('drops visits of unknown visitors after their own retention, but not those of agents', async () => {
      const short = new IngestPipeline(
        newRepository(),
        partitions,
        pubSub,
        { days: 90, unknownDays: 7 },
        pino({ level: 'silent' }),
      );
      const old = visitId(newBatchId(Date.now() - 8 * DAY), 0);
      const [unknown, agent] = await short.run([unknownOf(old), agentOf(visitId(newBatchId(Date.now() - 8 * DAY), 1))]);
      expect([unknown, agent]).toEqual([{ kind: 'drop', reason: 'past_retention' }, { kind: 'ok' }]);
      expect((await partitions.dropBefore('unknown', dayOf(Date.now()) - 7)).length).toBeGreaterThan(0);
      expect(await short.run([agentOf(old)])).toEqual([{ kind: 'ok' }]);
      expect(await sums()).toMatchObject({ visits: 2, counts: 2 });
    });
  });

  it('counts exactly when the same visits are delivered concurrently', async () => {
    const messages = [...batchOf(200), ...batchOf(200, { project: OTHER })];
    const turned = messages.toReversed();
    await Promise.all(
      [messages, turned, messages, turned].map((delivery, index) => [pipeline, ...others][index]!.run(delivery)),
    );
    expect(await sums()).toEqual({ visits: 400, counts: 400, pages: 400, statuses: 400 });
    const positions = await query<{ ok: boolean }>(
      `SELECT count(DISTINCT position) = 200 AND max(position & (1::bigint << 56) - 1) <= 800 AS ok
       FROM visits_full GROUP BY project_id`,
    );
    expect(positions).toEqual([{ ok: true }, { ok: true }]);
  });

  it('assigns positions within a shard in commit order', async () => {
    const seen: bigint[] = [];
    const last = new Map<number, bigint>();
    const look = async (): Promise<void> => {
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
    const watching = (async () => {
      while (!done.signal.aborted) await look();
      await look();
    })();
    const store = (): Promise<unknown> =>
      Promise.all([pipeline, ...others].flatMap((each) => Array.from({ length: 5 }, () => each.run(batchOf(20)))));
    const client = await connectionPool(database.dataSource).connect();
    // Without this lock, a fast machine may store one batch after another, all in the first shard.
    await client.query('SELECT pg_advisory_lock($1, 0)', [SHARD_LOCKS]);
    await store();
    await client.query('SELECT pg_advisory_unlock($1, 0)', [SHARD_LOCKS]);
    client.release();
    await store();
    done.abort();
    await watching;
    expect(seen).toHaveLength(800);
    expect(last.size).toBeGreaterThan(1);
  });

  describe('with an open transaction that stores visits of the project', () => {
    let client: PoolClient;
    /** Stores visits within the open transaction. */
    let held: VisitsRepository;

    beforeEach(async () => {
      client = await connectionPool(database.dataSource).connect();
      await client.query('BEGIN');
      const runner = { connect: async () => client, release: async () => undefined };
      const dataSource = { createQueryRunner: () => runner } as unknown as DataSource;
      held = new VisitsRepository(dataSource, new VisitFormsRepository(database.dataSource));
    });
    afterEach(async () => {
      await client.query('ROLLBACK');
      client.release();
    });

    const rowsOf = (events: readonly EnrichedEvent[]): VisitRow[] =>
      events.map(({ visit }) => {
        const row = visitRow(visit, Date.now(), { days: 90, unknownDays: 90 });
        if (!row.ok) throw new Error('no visit');
        return row.value;
      });

    it('stores and counts without waiting for the transaction', async () => {
      // Creates every row that the stores below update.
      await Promise.all([pipeline, ...others].map((each) => each.run(batchOf(1))));
      const [first, second] = [batchOf(3), batchOf(4)];
      await held.store(rowsOf(first));
      await pipeline.run(second);
      expect(await query(`SELECT count(*)::int AS visits FROM visits_full`)).toEqual([{ visits: 8 }]);
      await client.query('COMMIT');
      expect(await sums()).toEqual({ visits: 11, counts: 11, pages: 11, statuses: 11 });
    });

    it('stores a visit of both transactions once', async () => {
      const messages = batchOf(3);
      await held.store(rowsOf(messages));
      const second = pipeline.run([...messages, ...batchOf(1)]);
      await until(async () => (await query(`SELECT FROM pg_locks WHERE NOT granted`)).length > 0, { what: 'it waits' });
      await client.query('COMMIT');
      await second;
      expect(await sums()).toEqual({ visits: 4, counts: 4, pages: 4, statuses: 4 });
    });

    it('waits for the transaction before it sums up an hour of both', async () => {
      const hour = Math.floor(Date.now() / DAY) * DAY - DAY;
      await pipeline.run(batchOf(1, { occurred: hour }));
      await held.store(rowsOf(batchOf(1, { occurred: hour })));
      let isDone = false;
      const summing = sumUp().then(() => (isDone = true));
      const isWaiting = async () => (await query(`SELECT FROM pg_locks WHERE NOT granted`)).length > 0;
      await until(async () => isDone || (await isWaiting()), { what: 'it waits' });
      await client.query('COMMIT');
      await summing;
      expect(await query(`SELECT visits::int FROM visit_day_counts`)).toEqual([{ visits: 2 }]);
    });

    it('sums up an hour again when the transaction adds its first visits in a shard', async () => {
      const hour = Math.floor(Date.now() / DAY) * DAY - DAY;
      await pipeline.run(batchOf(1, { occurred: hour }));
      await withShards([0], async (take) => {
        await take();
        await held.store(rowsOf(batchOf(1, { occurred: hour })));
      });
      await sumUp();
      expect(await query(`SELECT visits::int FROM visit_day_counts`)).toEqual([{ visits: 1 }]);
      await client.query('COMMIT');
      expect(await sums()).toMatchObject({ visits: 2, counts: 2 });
    });
  });

  it('merges the counts of a past hour into one shard, up to the page limit', async () => {
    const hour = Math.floor(Date.now() / DAY) * DAY - DAY;
    const state = () =>
      query(`SELECT count(DISTINCT shard)::int AS shards, count(DISTINCT value)::int AS pages,
               sum(visits)::int AS visits, (sum(visits) FILTER (WHERE value = '/0/0'))::int AS of_all
             FROM visit_top_counts WHERE dimension = 'page'`);
    await withShards([0, 1, 2], async (take) => {
      for (const shard of [0, 1, 2]) {
        const batch = newBatchId();
        const many = Array.from({ length: 150 }, (_, index) =>
          message(enriched(visitId(batch, index), { path: `/${shard}/${index}`, occurred: hour })),
        );
        await pipeline.run([...many, ...batchOf(shard, { path: '/0/0', occurred: hour })]);
        await take();
      }
    });
    expect(await state()).toEqual([{ shards: 3, pages: 201, visits: 453, of_all: 4 }]);
    expect(await sums()).toEqual({ visits: 453, counts: 453, pages: 453, statuses: 453 });
    expect(await state()).toEqual([{ shards: 1, pages: 201, visits: 453, of_all: 4 }]);
    expect(await query(`SELECT DISTINCT shard FROM visit_counts`)).toEqual([{ shard: 0 }]);
  });

  it('fills the page limit when the first shard has different pages', async () => {
    const hour = Math.floor(Date.now() / DAY) * DAY - DAY;
    const store = (name: string): Promise<unknown> => {
      const batch = newBatchId();
      return pipeline.run(
        Array.from({ length: 150 }, (_, index) =>
          message(enriched(visitId(batch, index), { path: `/${name}/${index}`, occurred: hour })),
        ),
      );
    };
    await withShards([0], async (take) => {
      await take();
      await store('second');
    });
    await store('first');
    expect(await sums()).toEqual({ visits: 300, counts: 300, pages: 300, statuses: 300 });
    expect(
      await query(
        `SELECT count(DISTINCT value)::int AS pages FROM visit_top_counts WHERE dimension = 'page' AND value <> ''`,
      ),
    ).toEqual([{ pages: 200 }]);
  });

  it('dead-letters a row the database rejects, and stores the others', async () => {
    const messages = batchOf(9);
    const store = visits.store.bind(visits);
    const poison = messages[4]!.visit.id;
    jest
      .spyOn(visits, 'store')
      .mockImplementation((rows) => store(rows.map((row) => (row.id === poison ? { ...row, kinds: 99_999 } : row))));
    const outcomes = await pipeline.run(messages);
    jest.restoreAllMocks();
    expect(outcomes.map(({ kind }) => kind)).toEqual([...Array(4).fill('ok'), 'dead-letter', ...Array(4).fill('ok')]);
    expect(outcomes[4]).toMatchObject({ reason: 'refused_by_database', detail: expect.stringContaining('22003') });
    expect(await sums()).toMatchObject({ visits: 8, counts: 8 });
  });

  it('stores a tool name that is longer than an index entry can be', async () => {
    const tool = randomBytes(6_000).toString('hex');
    const visit = enriched(visitId(newBatchId(), 0));
    const called = { ...visit, visit: { ...visit.visit, mcp_request_tool_name: tool } };
    expect(await pipeline.run([message(called)])).toEqual([{ kind: 'ok' }]);
    expect(await query(`SELECT mcp_tool FROM visits_full`)).toEqual([{ mcp_tool: tool }]);
  });

  it('creates a missing partition, and recreates a dropped one on retry', async () => {
    const old = newBatchId(Date.now() - 5 * DAY);
    const anAgent = { agent: true };
    await pipeline.run([message(enriched(visitId(old, 0), anAgent))]);
    const day = dayOf(Date.now() - 5 * DAY);
    const [{ name }] = (await query<{ name: string }>(
      `SELECT tableoid::regclass::text AS name FROM visits WHERE id = '${old}'`,
    )) as [{ name: string }];
    expect(name).toBe(`visits_${new Date(day * DAY).toISOString().slice(0, 10).replaceAll('-', '')}`);
    await query(`DROP TABLE ${name}`);
    await expect(pipeline.run([message(enriched(visitId(old, 1), anAgent))])).rejects.toThrow('does not take');
    expect(await pipeline.run([message(enriched(visitId(old, 1), anAgent))])).toEqual([{ kind: 'ok' }]);
  });

  it('drops only partitions before the given day', async () => {
    const today = dayOf(Date.now());
    await partitions.ensure([today - 100, today - 91, today - 90, today]);
    const dropped = await partitions.dropBefore('agents', today - 90);
    expect(dropped).toHaveLength(2);
    expect(await partitions.dropBefore('unknown', today - 90)).toEqual(dropped);
    const [{ names }] = (await query<{ names: number }>(
      `SELECT count(*)::int AS names FROM pg_inherits WHERE inhparent = 'visits'::regclass`,
    )) as [{ names: number }];
    expect(names).toBeGreaterThanOrEqual(2);
    expect(firstIdAt((today - 90) * DAY) < firstIdAt(today * DAY)).toBe(true);
  });

  it('limits the number of counted pages without losing visits', async () => {
    const batch = newBatchId();
    const occurred = Date.now();
    const many = Array.from({ length: 600 }, (_, index) =>
      message(enriched(visitId(batch, index), { path: `/page/${index % 300}?q=${index}`, occurred })),
    );
    await pipeline.run(many.slice(0, 100));
    await pipeline.run(many.slice(100));
    const [row] = await query<{ pages: number; sum: number; other: number }>(
      `SELECT count(*)::int AS pages, sum(visits)::int AS sum, (sum(visits) FILTER (WHERE value = ''))::int AS other
       FROM visit_top_counts WHERE dimension = 'page'`,
    );
    expect(row).toEqual({ pages: 201, sum: 600, other: 200 });
  });

  it('limits the pages of a day, and records the time of the newest visit of each count', async () => {
    const midnight = Math.floor(Date.now() / DAY) * DAY - DAY;
    for (let quarter = 0; quarter < 6; quarter += 1) {
      const batch = newBatchId();
      await pipeline.run(
        Array.from({ length: 200 }, (_, index) => {
          const occurred = midnight + quarter * 15 * MINUTE + index;
          return message(enriched(visitId(batch, index), { path: `/${quarter}/${index}`, occurred }));
        }),
      );
    }
    await sumUp();
    const [row] = await query<{ pages: number; sum: number; other: number }>(
      `SELECT count(*)::int AS pages, sum(visits)::int AS sum, (sum(visits) FILTER (WHERE value = ''))::int AS other
       FROM visit_day_top_counts WHERE dimension = 'page'`,
    );
    expect(row).toEqual({ pages: 201, sum: 1_200, other: 1_000 });
    const newest = midnight + 5 * 15 * MINUTE + 199;
    for (const table of ['visit_counts', 'visit_day_counts', 'visit_hour_counts']) {
      const [last] = await query<{ at: Date }>(`SELECT max(last_at) AS at FROM ${table}`);
      expect([table, last!.at.getTime()]).toEqual([table, newest]);
    }
    // A late visit doesn't move the time back.
    await pipeline.run([message(enriched(visitId(newBatchId(), 0), { occurred: newest - 100 }))]);
    const [last] = await query<{ at: Date }>(`SELECT max(last_at) AS at FROM visit_counts`);
    expect(last!.at.getTime()).toBe(newest);
  });

  it('sums up past hours, and again when late visits arrive', async () => {
    const midnight = Math.floor(Date.now() / DAY) * DAY - DAY;
    const at = (hour: number, minute = 0): number => midnight + hour * 60 * MINUTE + minute * MINUTE;
    const store = (...times: number[]) => pipeline.run(times.flatMap((occurred) => batchOf(1, { occurred })));
    const state = async () => {
      const [row] = await query<Record<string, number>>(`SELECT
        (SELECT count(*)::int FROM visit_open_hours) AS hours, (SELECT count(*)::int FROM visit_open_days) AS days,
        (SELECT coalesce(sum(visits), 0)::int FROM visit_hour_counts) AS in_hours,
        (SELECT coalesce(sum(visits), 0)::int FROM visit_day_counts) AS in_days`);
      return row;
    };
    await store(at(1), at(1, 59), at(2), at(3));
    expect(await state()).toEqual({ hours: 3, days: 0, in_hours: 0, in_days: 0 });
    await sumUp(new Date(at(3, 30)));
    expect(await state()).toEqual({ hours: 1, days: 1, in_hours: 3, in_days: 0 });
    await sumUp(new Date(at(24)));
    expect(await state()).toEqual({ hours: 0, days: 0, in_hours: 4, in_days: 4 });
    await store(at(1, 30));
    expect(await state()).toEqual({ hours: 1, days: 0, in_hours: 4, in_days: 4 });
    const repository = new CountSumsRepository(database.dataSource);
    expect(await repository.due(new Date(at(24)), 60)).toEqual([]);
    await sumUp(new Date(at(24)));
    expect(await state()).toEqual({ hours: 0, days: 0, in_hours: 5, in_days: 5 });
  });

  it('loses no visits when it sums up while visits are stored', async () => {
    const hour = Math.floor(Date.now() / DAY) * DAY - DAY;
    const done = new AbortController();
    const summing = (async () => {
      while (!done.signal.aborted) await Promise.all([sumUp(), sumUp()]);
    })();
    const store = (by: IngestPipeline) =>
      by.run([...batchOf(5, { occurred: hour }), ...batchOf(5, { occurred: hour + 2 * MINUTE })]);
    for (let round = 0; round < 30; round += 1) await Promise.all(others.map(store));
    done.abort();
    await summing;
    expect(await sums()).toMatchObject({ visits: 900, counts: 900 });
  });
});
