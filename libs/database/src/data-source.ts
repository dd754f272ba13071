import type { Pool } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { ADVISORY_LOCKS } from './advisory-locks.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { AccessTokenEntity, InvitationEntity, MemberEntity, ProjectEntity } from './project.entity.js';
import { PasswordResetEntity, UserEntity } from './user.entity.js';
import { Baseline1764000000000 } from './migrations/1764000000000-baseline.js';

export interface DatabaseOptions {
  /** postgres://user:password@host:port/name */
  url: string;
  poolSize?: number;
  /** Shown in pg_stat_activity. */
  applicationName?: string;
}

/** PostgreSQL cancels statements that take longer. Callers have shorter deadlines. */
const STATEMENT_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 3_000;

/** Creates the data source of a service. Call `initialize()` before use. It never changes the schema: see `migrate`. */
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
    // Logs would contain statements and their parameters.
    logging: false,
    migrationsTransactionMode: 'each',
    extra: {
      statement_timeout: STATEMENT_TIMEOUT_MS,
      // If the server's host dies without closing connections, only this timeout ends a query.
      query_timeout: STATEMENT_TIMEOUT_MS + 1_000,
      keepAlive: true,
      // - timezone: times are compared and grouped in UTC, even if the server has another time zone
      // - jit: compiling a statement takes longer than running it
      // - service: the audit log attributes changes without an actor to it
      options: `-c timezone=UTC -c jit=off -c agent_traffic.service=${applicationName.replaceAll(' ', '\\ ')}`,
    },
  });
}

/** Returns the connection pool of a data source, for libraries that use `pg` directly. */
export const connectionPool = (dataSource: DataSource): Pool =>
  (dataSource.driver as unknown as { master: Pool }).master;

/** Returns a second data source for the same database, whose statements have no timeout. */
export function patient({ options }: DataSource): DataSource {
  const extra = { ...options.extra, statement_timeout: 0, query_timeout: 0 };
  return new DataSource({ ...options, poolSize: 2, extra } as DataSourceOptions);
}

/**
 * Applies all pending migrations and returns their names. Several processes may call it at the same time. Statements
 * have no timeout, because indexing many visits takes minutes, as does waiting for another process.
 *
 * @throws NewerDatabaseError
 */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  const migrating = await patient(dataSource).initialize();
  try {
    const runner = migrating.createQueryRunner();
    await runner.connect();
    await runner.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCKS.migrations]);
    try {
      await refuseNewer(migrating);
      const done = await migrating.runMigrations();
      return done.map((migration) => migration.name);
    } finally {
      await runner.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCKS.migrations]);
      await runner.release();
    }
  } finally {
    await migrating.destroy();
  }
}

/** A newer release has migrated the database. Retrying doesn't help. */
export class NewerDatabaseError extends Error {
  override name = 'NewerDatabaseError';
}

/** An older release would misread data of a newer one. */
async function refuseNewer(dataSource: DataSource): Promise<void> {
  const known = new Set(namesOf(dataSource));
  const unknown = (await appliedMigrations(dataSource)).filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new NewerDatabaseError(
    `A newer release of Agent Traffic has changed this database (${unknown.join(', ')}). Run that release or a later one, or restore a backup from before the update.`,
  );
}

export async function pendingMigrations(dataSource: DataSource): Promise<string[]> {
  const applied = new Set(await appliedMigrations(dataSource));
  return namesOf(dataSource).filter((name) => !applied.has(name));
}

async function appliedMigrations(dataSource: DataSource): Promise<string[]> {
  const [{ exists }] = await dataSource.query(`SELECT to_regclass('migrations') IS NOT NULL AS exists`);
  const rows: { name: string }[] = exists ? await dataSource.query('SELECT name FROM migrations ORDER BY id') : [];
  return rows.map(({ name }) => name);
}

const namesOf = ({ migrations }: DataSource): string[] => migrations.map(({ name }) => name ?? '');
