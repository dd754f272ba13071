import { arrayLiteral } from '#libs/database';
import type { VisitRow } from './visit-row.js';
import { COMMON_COLUMNS, TABLE_COLUMNS, type VisitTable } from './visit-columns.js';
import { countVisits } from './visit-counts.js';
import type { StoredDocument } from './visit-forms.repository.js';
import type { RecordedForm } from './visit-forms.js';

/**
 * Returns parameter values for the counts and checkouts of a batch, by parameter name.
 *
 * @param rows Visits, sorted by project.
 */
export function toCountValues(rows: readonly VisitRow[], projects = groupByProject(rows)): Record<string, unknown> {
  const counts = countVisits(rows, projects.numbers);
  const checkouts = rows.flatMap((row, index) =>
    row.checkouts.map((checkout) => ({ ...checkout, row, project: projects.numbers[index]! })),
  );
  const literals: Record<string, readonly (string | number | boolean | null)[]> = {
    projects: projects.ids,
    'projects.visits': projects.visits,
    'checkouts.id': checkouts.map(({ row }) => row.id),
    'checkouts.project': checkouts.map(({ project }) => project),
    'checkouts.digest': checkouts.map(({ digest }) => digest),
    'checkouts.protocol': checkouts.map(({ protocol }) => protocol),
    'checkouts.state': checkouts.map(({ state }) => state),
    'checkouts.currency': checkouts.map(({ currency }) => currency),
    'checkouts.total': checkouts.map(({ total }) => total),
    'checkouts.agent_id': checkouts.map(({ row }) => row.agentId),
    'checkouts.is_spoofed': checkouts.map(({ row }) => row.result === 'verification_failed'),
    'checkouts.occurred_at': checkouts.map(({ row }) => row.occurredAt),
  };
  for (const [name, values] of Object.entries(counts)) literals[name] = values;
  return Object.fromEntries(Object.entries(literals).map(([name, values]) => [name, arrayLiteral(values)]));
}

/**
 * Returns parameter values for the `store-visits` statement, by parameter name.
 *
 * @param rows Visits, sorted by project.
 */
export function toParameterValues(
  rows: readonly VisitRow[],
  documents: readonly StoredDocument[],
): Record<string, unknown> {
  const forms = [...new Set(documents.map(({ form }) => form))].filter((form): form is RecordedForm => form !== null);
  const projects = groupByProject(rows);
  const values: Record<string, unknown> = {
    ...toCountValues(rows, projects),
    'forms.id': arrayLiteral(forms.map(({ id }) => id)),
    'forms.digest': forms.map(({ digest }) => digest),
  };
  // `unknown_visits` contains a row for every visit, but only rows of unknown visitors contain more than the ID. Rows
  // of agents and count-only visits don't.
  const isUnknown = (row: VisitRow): boolean => row.agentId === null && !row.isCounted;
  addRows(
    'unknown_visits',
    rows.map((row, index) => (isUnknown(row) ? index : null)),
  );
  values['unknown_visits.id'] = arrayLiteral(rows.map(({ id }) => id));
  addRows(
    'visits',
    [...rows.keys()].filter((index) => rows[index]!.agentId !== null),
  );
  return values;

  function addRows(table: VisitTable, rowIndexes: readonly (number | null)[]): void {
    const add = (name: string, valueOf: (index: number) => string | number | boolean | null): void => {
      const column = rowIndexes.map((index) => (index === null ? null : valueOf(index)));
      // `unnest` adds trailing nulls. Many columns contain nothing else.
      values[`${table}.${name}`] = arrayLiteral(column.slice(0, column.findLastIndex((value) => value !== null) + 1));
    };
    add('project', (index) => projects.numbers[index]!);
    add('distance', (index) => projects.distances[index]!);
    add('form', (index) => documents[index]!.form?.id ?? null);
    add('id', (index) => rows[index]!.id);
    add('occurred_at', (index) => rows[index]!.occurredAt);
    for (const { name, member } of [...COMMON_COLUMNS, ...TABLE_COLUMNS[table]]) {
      add(name, (index) => rows[index]![member]);
    }
    // Escaping every quotation mark for an array would cost more than any other column. JSON contains no line breaks.
    values[`${table}.document`] = rowIndexes.map((index) => (index === null ? '' : documents[index]!.text)).join('\n');
  }
}

/**
 * Groups rows by project. Returns the project IDs and the number of rows for each project. For each row, returns the
 * one-based index of its project and its distance from the project's last row.
 */
export function groupByProject(rows: readonly VisitRow[]) {
  const groups = { ids: [] as string[], visits: [] as number[], numbers: [] as number[], distances: [] as number[] };
  for (const { projectId } of rows) {
    if (projectId !== groups.ids.at(-1)) {
      groups.ids.push(projectId);
      groups.visits.push(0);
    }
    groups.numbers.push(groups.ids.length);
    groups.visits[groups.ids.length - 1]! += 1;
  }
  for (const visits of groups.visits)
    for (let distance = visits - 1; distance >= 0; distance -= 1) groups.distances.push(distance);
  return groups;
}
