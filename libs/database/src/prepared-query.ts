import type { Client, QueryResultRow } from 'pg';
import type { DataSource } from 'typeorm';
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
  { name, text }: PreparedStatement,
  values: readonly unknown[],
): Promise<Row[]> {
  const runner = dataSource.createQueryRunner();
  try {
    const client: Client = await runner.connect();
    try {
      const { rows } = await client.query<Row & QueryResultRow>({ name, text, values: values as unknown[] });
      return rows;
    } catch (error) {
      // A connection that reported an SQL error still works. The pool drops a closed one.
      if (sqlState(error) === null) void client.end();
      throw error;
    }
  } finally {
    await runner.release();
  }
}
