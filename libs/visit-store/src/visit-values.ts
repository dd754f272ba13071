import { arrayLiteral } from '#libs/database';
import type { VisitRow } from './visit-row.js';
import { COMMON_COLUMNS, OWN_COLUMNS, type VisitTable } from './visit-columns.js';
import { countsOf } from './visit-counts.js';
import type { StoredDocument } from './visit-forms.repository.js';
import type { RecordedForm } from './visit-forms.js';

/**
 * Returns the parameter values of the statement `store-visits` by name.
 *
 * @param rows Visits sorted by project.
 */
export function valuesOf(rows: readonly VisitRow[], documents: readonly StoredDocument[]): Record<string, unknown> {
  const forms = [...new Set(documents.map(({ form }) => form))].filter((form): form is RecordedForm => form !== null);
  const projects = projectsOf(rows);
  const counts = countsOf(rows, projects.numbers);
  const checkouts = rows.flatMap((row, index) =>
    row.checkouts.map((checkout) => ({ ...checkout, row, project: projects.numbers[index]! })),
  );
  const literals: Record<string, readonly (string | number | boolean | null)[]> = {
    'forms.id': forms.map(({ id }) => id),
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
  const values: Record<string, unknown> = { 'forms.digest': forms.map(({ digest }) => digest) };
  for (const name in literals) values[name] = arrayLiteral(literals[name]!);
  // This table has a row for every visit. For visits of agents and for visits that are only counted, it only stores the
  // ID.
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

  function addRows(table: VisitTable, chosen: readonly (number | null)[]): void {
    const add = (name: string, valueOf: (index: number) => string | number | boolean | null): void => {
      values[`${table}.${name}`] = arrayLiteral(chosen.map((index) => (index === null ? null : valueOf(index))));
    };
    add('project', (index) => projects.numbers[index]!);
    add('distance', (index) => projects.distances[index]!);
    add('form', (index) => documents[index]!.form?.id ?? null);
    add('id', (index) => rows[index]!.id);
    add('occurred_at', (index) => rows[index]!.occurredAt);
    for (const { name, member } of [...COMMON_COLUMNS, ...OWN_COLUMNS[table]]) {
      add(name, (index) => rows[index]![member]);
    }
    add('document', (index) => documents[index]!.text);
  }
}

/**
 * Groups rows by project. Returns the project IDs and the number of rows of each. For each row, returns the one-based
 * index of its project and its distance from the last row of the project.
 */
function projectsOf(rows: readonly VisitRow[]) {
  const found = { ids: [] as string[], visits: [] as number[], numbers: [] as number[], distances: [] as number[] };
  for (const { projectId } of rows) {
    if (projectId !== found.ids.at(-1)) {
      found.ids.push(projectId);
      found.visits.push(0);
    }
    found.numbers.push(found.ids.length);
    found.visits[found.ids.length - 1]! += 1;
  }
  for (const visits of found.visits) for (let left = visits - 1; left >= 0; left -= 1) found.distances.push(left);
  return found;
}
