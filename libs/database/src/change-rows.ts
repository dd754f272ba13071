import type { DataSource, EntityManager } from 'typeorm';

type Connection = DataSource | EntityManager;

/** Runs an UPDATE or DELETE statement, optionally with CTEs, and returns the rows from its RETURNING clause. */
export async function executeReturning<Row>(
  connection: Connection,
  sql: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const [rows]: [Row[], number] = await connection.query(sql, [...values]);
  return rows;
}

/** Runs an UPDATE or DELETE statement, optionally with CTEs, and returns the number of affected rows. */
export async function executeAndCount(
  connection: Connection,
  sql: string,
  values: readonly unknown[],
): Promise<number> {
  const [, count]: [unknown, number] = await connection.query(sql, [...values]);
  return count;
}
