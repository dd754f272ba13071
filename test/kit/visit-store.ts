import { jest } from '@jest/globals';
import { Module, type DynamicModule, type INestApplicationContext, type Type } from '@nestjs/common';
import { ModuleRef, NestFactory } from '@nestjs/core';
import { ReadDatabase } from '#libs/database';
import { Health } from '#libs/platform';
import { ClientNetworks, VisitStoreModule } from '#libs/visit-store';
import { DataSource } from 'typeorm';
import { ClickHouse } from '../../libs/visit-store/src/clickhouse/clickhouse.js';
import { CLICKHOUSE_IMPLEMENTATIONS } from '../../libs/visit-store/src/clickhouse/implementations.js';
import { testVisitStore } from './clickhouse.js';
import { disposables } from './instance.js';

/** Dependencies of the repositories in libs/visit-store. */
@Module({})
class DependenciesModule {
  static of(dataSource: DataSource): DynamicModule {
    const providers = [
      { provide: DataSource, useValue: dataSource },
      { provide: ReadDatabase, useValue: new ReadDatabase(dataSource, null) },
      { provide: ClientNetworks, useValue: { find: () => null } },
      Health,
    ];
    return { module: DependenciesModule, global: true, providers, exports: providers };
  }
}

/**
 * Provides the repositories that ingest uses, in their implementations for the database's visit store. Each call stands
 * for another process.
 */
export async function openVisitStore(dataSource: DataSource): Promise<INestApplicationContext> {
  const visitStore = VisitStoreModule.forRoot(testVisitStore(dataSource));
  const root = { module: class Root {}, imports: [DependenciesModule.of(dataSource), visitStore] };
  const context = await NestFactory.createApplicationContext(root, { logger: false });
  const disposable = {
    dispose: async () => {
      disposables.delete(disposable);
      await context.close();
    },
  };
  disposables.add(disposable);
  return context.select(visitStore);
}

const contexts = new WeakMap<DataSource, Promise<INestApplicationContext>>();

function findContext(dataSource: DataSource): Promise<INestApplicationContext> {
  const context = contexts.get(dataSource) ?? openVisitStore(dataSource);
  contexts.set(dataSource, context);
  return context;
}

/**
 * Creates a repository of libs/visit-store for a test database. If `TEST_VISIT_STORE` is `clickhouse`, its visits are
 * in ClickHouse.
 */
export async function createRepository<T>(dataSource: DataSource, repository: Type<T>): Promise<T> {
  const context = await findContext(dataSource);
  const isClickHouse = testVisitStore(dataSource) !== null;
  const implementation = (isClickHouse && CLICKHOUSE_IMPLEMENTATIONS.get(repository)) || repository;
  return context.get(ModuleRef).create<T>(implementation);
}

/** Declares tests that don't apply if ClickHouse stores the visits. */
export function onlyInPostgres(declareTests: () => void): void {
  if (process.env['TEST_VISIT_STORE'] !== 'clickhouse') declareTests();
}

/** Stored visit, whichever database it's in. */
interface VisitRecord {
  id: string;
  project_id: string;
  /** Milliseconds since the Unix epoch. */
  occurred_at: number;
  /** Position in live streams. */
  shard: number;
  /** Number of the position in its shard. */
  number: number;
  agent_id: string | null;
  agent_type: string | null;
  operator: string | null;
  result: string;
  path: string;
  status: number | null;
  response_bytes: number | null;
  response_us: number | null;
  response_flags: number | null;
  mcp_tool: string | null;
  kinds: number;
  robots: number | null;
  automation: number | null;
  assistant: string | null;
  user_agent_group: number | null;
  client_address: string | null;
  /** Enriched visit as JSON. */
  document: string;
}

const COLUMNS = `id, project_id, agent_id, agent_type, operator, result, path, status,
  response_bytes, response_us, response_flags, mcp_tool, kinds, robots, automation, assistant, user_agent_group,
  client_address`;

/**
 * Returns a project's stored visits, sorted by ID.
 *
 * @param projectId Default: all projects.
 */
export async function readVisits(dataSource: DataSource, projectId?: string): Promise<VisitRecord[]> {
  const visits =
    testVisitStore(dataSource) === null
      ? await dataSource.query<VisitRecord[]>(
          `SELECT ${COLUMNS}, extract(epoch FROM occurred_at)::float8 * 1000 AS occurred_at,
             (position >> 56)::int AS shard, (position & (1::bigint << 56) - 1)::float8 AS number, document::text AS document
           FROM visits_full WHERE $1::uuid IS NULL OR project_id = $1`,
          [projectId],
        )
      : await readFromClickHouse(dataSource, projectId);
  return visits.sort((one, other) => (one.id < other.id ? -1 : 1));
}

async function readFromClickHouse(dataSource: DataSource, projectId?: string): Promise<VisitRecord[]> {
  const clickhouse = (await findContext(dataSource)).get(ClickHouse);
  return clickhouse.query(
    `SELECT ${COLUMNS}, occurred_at, shard, number, document FROM ${clickhouse.visits}
     WHERE ${projectId === undefined ? `project_id != toUUID('00000000-0000-0000-0000-000000000000')` : 'project_id = {projectId:UUID}'}`,
    { projectId },
  );
}

/** Returns the sorted IDs of all stored visits, including those that are only counted. */
export async function readStoredIds(dataSource: DataSource): Promise<string[]> {
  const clickhouse = (await findContext(dataSource)).get<ClickHouse | null>(ClickHouse);
  const rows: { id: string }[] =
    clickhouse === null
      ? await dataSource.query('SELECT id FROM unknown_visits')
      : await clickhouse.query(`SELECT id FROM ${clickhouse.visits}`);
  return rows.map(({ id }) => id).toSorted();
}

/** Deletes a project's visits by unknown visitors, like the retention period does. */
export async function deleteUnknownVisits(dataSource: DataSource, projectId: string): Promise<void> {
  const clickhouse = (await findContext(dataSource)).get<ClickHouse | null>(ClickHouse);
  if (clickhouse === null) await dataSource.query('DELETE FROM unknown_visits WHERE project_id = $1', [projectId]);
  else
    await clickhouse.command(
      `DELETE FROM ${clickhouse.localVisits} WHERE project_id = {projectId:UUID} AND agent_id IS NULL`,
      { projectId },
    );
}

/** Runs `work` while an app's reads of visits take longer than their time limit. */
export async function withSlowReads(app: INestApplicationContext, work: () => Promise<void>): Promise<void> {
  const clickhouse = app.get<ClickHouse | null>(ClickHouse);
  if (clickhouse !== null) {
    const query = clickhouse.query.bind(clickhouse);
    const slowStatement = 'SELECT sleepEachRow(1) FROM numbers(60) SETTINGS max_block_size = 1';
    const slowQuery = jest
      .spyOn(clickhouse, 'query')
      .mockImplementation((_text, _parameters, options) => query(slowStatement, {}, options));
    await work().finally(() => slowQuery.mockRestore());
    return;
  }
  const runner = app.get(DataSource).createQueryRunner();
  await runner.startTransaction();
  try {
    await runner.query('LOCK TABLE visits IN ACCESS EXCLUSIVE MODE');
    await work();
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
}
