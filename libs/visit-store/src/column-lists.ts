import { select, type Snapshot } from './snapshot.js';

/**
 * Reads rows as one list of each column: of thousands of rows, transferring each takes as long as finding it. What they have comes as
 * in JSON.
 *
 * @param names of the columns.
 * @param rows SQL, in the order in which they are read.
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
