import type { Client, QueryResultRow } from 'pg';
import type { DataSource } from 'typeorm';
import { getSqlState } from '#libs/platform';

/** A statement that PostgreSQL parses once per connection. */
export interface PreparedStatement {
  /** Name of the statement, unique across the application. */
  name: string;
  text: string;
}

/**
 * Runs a prepared statement, which TypeORM doesn't support. Use it on hot paths where planning a large statement takes
 * longer than running it.
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
      // After an SQL error, the connection is still usable. After any other error, close it so the pool removes it.
      if (getSqlState(error) === null) void client.end();
      throw error;
    }
  } finally {
    await runner.release();
  }
}
