import type { Query } from './query.js';

/**
 * Reads rows as one list of each column: of thousands of rows, transferring each takes as long as finding it. What they have comes as
 * in JSON.
 *
 * @param names of the columns.
 * @param rows SQL, in the order in which they are read.
 */
export async function readAsLists<Row>(
  query: Query,
  names: readonly string[],
  rows: string,
  parameters: unknown[],
  planned?: 'once',
): Promise<Row[]> {
  const [lists] = await query<Record<string, unknown[] | null>>(
    `SELECT ${names.map((name) => `json_agg(${name}) AS ${name}`).join(', ')} FROM (${rows}) read`,
    parameters,
    planned,
  );
  return (lists![names[0]!] ?? []).map((_, index) => {
    const row: Record<string, unknown> = {};
    for (const name of names) row[name] = lists![name]![index];
    return row as Row;
  });
}
