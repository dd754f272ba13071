import type { Pool } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { ADVISORY_LOCKS } from './advisory-locks.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { AccessTokenEntity, InvitationEntity, MemberEntity, ProjectEntity } from './project.entity.js';
import { PasswordResetEntity, UserEntity } from './user.entity.js';
import { Baseline1764000000000 } from './migrations/1764000000000-baseline.js';

export interface DatabaseOptions {
  /** Connection URL, such as `postgres://user:password@host:port/name`. */
  url: string;
  poolSize?: number;
  /** Name that PostgreSQL shows in `pg_stat_activity`. */
  applicationName?: string;
}

/** PostgreSQL cancels statements that run longer. Most callers set shorter deadlines. */
const STATEMENT_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 3_000;

/**
 * Creates a service's data source, which isn't connected until you call `initialize()`. Schema changes are left to
 * `migrate`.
 */
export function createDataSource({
  url,
  poolSize = 10,
  applicationName = 'agent-traffic',
}: DatabaseOptions): DataSource {
  return new DataSource({
    type: 'postgres',
    url,
    poolSize,
    applicationName,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    entities: [
      ProjectEntity,
      AccessTokenEntity,
      MemberEntity,
      InvitationEntity,
      ApiKeyEntity,
      UserEntity,
      PasswordResetEntity,
    ],
    migrations: [Baseline1764000000000],
    // TypeORM would log statements with their parameters.
    logging: false,
    migrationsTransactionMode: 'each',
    extra: {
      statement_timeout: STATEMENT_TIMEOUT_MS,
      // Only this client-side timeout ends a query if the server's host fails without closing the connection.
      query_timeout: STATEMENT_TIMEOUT_MS + 1_000,
      keepAlive: true,
      // - timezone: compare and group times in UTC, regardless of the server's time zone
      // - jit: compiling our statements takes longer than running them
      // - service: audit log actor for changes made outside a request
      options: `-c timezone=UTC -c jit=off -c agent_traffic.service=${applicationName.replaceAll(' ', '\\ ')}`,
    },
  });
}

/** Returns the data source's connection pool, for libraries that use `pg` directly. */
export const connectionPool = (dataSource: DataSource): Pool =>
  (dataSource.driver as unknown as { master: Pool }).master;

/** Returns an uninitialized data source for the same database, without statement or query timeouts. */
export function withoutTimeouts({ options }: DataSource): DataSource {
  const extra = { ...options.extra, statement_timeout: 0, query_timeout: 0 };
  return new DataSource({ ...options, poolSize: 2, extra } as DataSourceOptions);
}

/**
 * Applies all pending migrations and returns their names. Several processes can call it at the same time. Statements
 * have no timeout: indexing many visits or waiting for another process can take minutes.
 *
 * @throws {NewerDatabaseError} if a newer release has migrated the database.
 */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  const migrationDataSource = await withoutTimeouts(dataSource).initialize();
  try {
    const runner = migrationDataSource.createQueryRunner();
    await runner.connect();
    await runner.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCKS.migrations]);
    try {
      await rejectNewerSchema(migrationDataSource);
      const executed = await migrationDataSource.runMigrations();
      return executed.map((migration) => migration.name);
    } finally {
      await runner.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCKS.migrations]);
      await runner.release();
    }
  } finally {
    await migrationDataSource.destroy();
  }
}

/** Thrown if a newer release has migrated the database. Retrying doesn't help. */
export class NewerDatabaseError extends Error {
  override name = 'NewerDatabaseError';
}

/** An older release would misinterpret a newer release's data. */
async function rejectNewerSchema(dataSource: DataSource): Promise<void> {
  const knownNames = new Set(migrationNames(dataSource));
  const unknownNames = (await appliedMigrations(dataSource)).filter((name) => !knownNames.has(name));
  if (unknownNames.length === 0) return;
  throw new NewerDatabaseError(
    `This database was migrated by a newer release of Agent Traffic (${unknownNames.join(', ')}). Run that release or a later one, or restore a backup from before the update.`,
  );
}

export async function pendingMigrations(dataSource: DataSource): Promise<string[]> {
  const applied = new Set(await appliedMigrations(dataSource));
  return migrationNames(dataSource).filter((name) => !applied.has(name));
}

async function appliedMigrations(dataSource: DataSource): Promise<string[]> {
  const [{ exists }] = await dataSource.query(`SELECT to_regclass('migrations') IS NOT NULL AS exists`);
  const rows: { name: string }[] = exists ? await dataSource.query('SELECT name FROM migrations ORDER BY id') : [];
  return rows.map(({ name }) => name);
}

const migrationNames = ({ migrations }: DataSource): string[] => migrations.map(({ name }) => name ?? '');
