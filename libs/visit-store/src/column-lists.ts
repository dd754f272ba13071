import { select, type Snapshot } from './snapshot.js';

/**
 * Reads rows as one JSON list per column. With thousands of rows, transferring each one is as slow as finding it.
 * Values have their JSON types.
 *
 * @param names column names.
 * @param rows SQL that returns the rows in the wanted order.
 */
export async function readAsLists<Row>(
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
