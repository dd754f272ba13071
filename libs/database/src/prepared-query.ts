import type { DataSource } from 'typeorm';
import type { PoolClient, QueryResultRow } from 'pg';
import { sqlState } from '#libs/platform';

/** A statement that PostgreSQL parses and plans once for each connection. */
export interface PreparedStatement {
  /** Unique among statements. */
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
  // A connection that breaks also emits an event, which would end the process without a listener.
  const onBroken = (error: Error): void => {
    broken = error;
  };
  client.on('error', onBroken);
  try {
    const { rows } = await client.query<Row & QueryResultRow>({ ...statement, values: values as unknown[] });
    return rows;
  } catch (error) {
    // A connection that reported an SQL error still works.
    if (sqlState(error) === null) broken ??= error as Error;
    throw error;
  } finally {
    client.off('error', onBroken);
    // The pool drops a broken connection.
    release(broken);
  }
}
