import type { DataSource, EntityManager } from 'typeorm';

type Connection = DataSource | EntityManager;

/** Runs an UPDATE or DELETE statement, optionally with CTEs. Returns the rows of its RETURNING clause. */
export async function changeRows<Row>(connection: Connection, sql: string, values: readonly unknown[]): Promise<Row[]> {
  const [rows]: [Row[], number] = await connection.query(sql, [...values]);
  return rows;
}

/** Runs an UPDATE or DELETE statement, optionally with CTEs. Returns the number of changed rows. */
export async function countChanged(connection: Connection, sql: string, values: readonly unknown[]): Promise<number> {
  const [, count]: [unknown, number] = await connection.query(sql, [...values]);
  return count;
}
