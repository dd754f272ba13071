import { select, type Snapshot } from './snapshot.js';

/**
 * Reads rows as one JSON array per column, because transferring thousands of separate rows takes as long as finding
 * them. Dates and bigints are therefore returned as their JSON types.
 *
 * @param names Names of the columns to read.
 * @param rows SQL query that returns the rows in the desired order.
 */
export async function readAsColumns<Row>(
  snapshot: Snapshot,
  names: readonly string[],
  rows: string,
  parameters: unknown[],
  read = select,
): Promise<Row[]> {
  const [lists] = await read<Record<string, unknown[] | null>>(
    snapshot,
    `SELECT ${names.map((name) => `json_agg(${name}) AS ${name}`).join(', ')} FROM (${rows}) read`,
    parameters,
  );
  return (lists![names[0]!] ?? []).map((_, index) => {
    const row: Record<string, unknown> = {};
    for (const name of names) row[name] = lists![name]![index];
    return row as Row;
  });
}

/**
 * Reads rows like {@link readAsColumns}.
 *
 * @param columns SQL expressions by column name.
 * @param source Rest of the query, starting with `FROM`.
 */
export const readColumns = <Row>(
  snapshot: Snapshot,
  columns: Readonly<Record<keyof Row & string, string>>,
  source: string,
  parameters: unknown[],
): Promise<Row[]> => {
  const names = Object.keys(columns) as (keyof Row & string)[];
  const list = names.map((name) => `${columns[name]} AS ${name}`).join(', ');
  return readAsColumns<Row>(snapshot, names, `SELECT ${list} ${source}`, parameters);
};
