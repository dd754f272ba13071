import type { DataSource } from 'typeorm';
import type { PoolClient } from 'pg';

/** A statement that PostgreSQL parses and plans once a connection. */
export interface PreparedStatement {
  /** Unique among statements; part of what the server remembers. */
  name: string;
  text: string;
}

/**
 * Runs a prepared statement on a connection of the pool. For hot paths: planning a large statement takes longer
 * than running it, and TypeORM has no prepared statements.
 */
export async function preparedQuery<Row>(
  dataSource: DataSource,
  statement: PreparedStatement,
  values: readonly unknown[],
): Promise<Row[]> {
  const driver = dataSource.driver as unknown as {
    obtainMasterConnection(): Promise<[PoolClient, (error?: Error) => void]>;
  };
  const [client, release] = await driver.obtainMasterConnection();
  try {
    const { rows } = await client.query({ ...statement, values: [...values] });
    release();
    return rows as Row[];
  } catch (error) {
    // The pool drops a connection that is broken; one that reported an error in SQL is sound.
    release((error as { code?: unknown }).code === undefined ? (error as Error) : undefined);
    throw error;
  }
}
