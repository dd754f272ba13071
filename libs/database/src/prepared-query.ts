import type { DataSource } from 'typeorm';
import type { PoolClient } from 'pg';
import { sqlState } from './database-error.js';

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
  let broken: Error | undefined;
  // A connection that breaks says so as an event as well, which would end the process if nobody listened.
  const onBroken = (error: Error): void => {
    broken = error;
  };
  client.on('error', onBroken);
  try {
    const { rows } = await client.query({ ...statement, values: [...values] });
    return rows as Row[];
  } catch (error) {
    // One that reported an error in SQL is sound.
    if (sqlState(error) === null) broken ??= error as Error;
    throw error;
  } finally {
    client.off('error', onBroken);
    // The pool drops a broken connection.
    release(broken);
  }
}
