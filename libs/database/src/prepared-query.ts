import type { Client, QueryResultRow } from 'pg';
import type { DataSource } from 'typeorm';
import { sqlState } from '#libs/platform';

/** A statement that PostgreSQL parses and plans once per connection. */
export interface PreparedStatement {
  /** Unique among statements. */
  name: string;
  text: string;
}

/**
 * Runs a prepared statement. Use it on hot paths: planning a large statement takes longer than running it, and TypeORM
 * doesn't support prepared statements.
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
      // A connection that reported an SQL error still works. Any other error closes it, and the pool drops it.
      if (sqlState(error) === null) void client.end();
      throw error;
    }
  } finally {
    await runner.release();
  }
}
