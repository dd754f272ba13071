import { Injectable } from '@nestjs/common';
import { timeOfId } from '#libs/contracts';
import { arrayLiteral } from '#libs/database';
import type { EntityManager } from 'typeorm';
import { CheckoutsRepository } from './checkouts.repository.js';
import { dayOf, PartitionsRepository } from './partitions.repository.js';
import { COMMON_COLUMNS, OWN_COLUMNS, type VisitColumn, type VisitTable } from './visit-columns.js';
import type { VisitRow } from './visit-row.js';
import { VisitFormsRepository, type StoredDocument } from './visit-forms.repository.js';
import { MovedCountsRepository } from './moved-counts.repository.js';

export interface ChangedRow {
  before: VisitRow;
  after: VisitRow;
}

export interface PreparedChange extends ChangedRow {
  document: StoredDocument;
}

interface FoundRow extends PreparedChange {
  /** A bigint as text. A changed visit keeps its position in the stream. */
  position: string | null;
  isInVisits: boolean;
}

interface Column {
  name: string;
  type: string;
  json: (row: FoundRow) => string;
}

const column = (name: string, type: string, valueOf: (row: FoundRow) => string | number | null): Column => ({
  name,
  type,
  json: (row) => JSON.stringify(valueOf(row)),
});
const unchanged = ({ name, type, member }: VisitColumn): Column => column(name, type, ({ after }) => after[member]);

const columnsOf = (table: VisitTable): readonly Column[] => [
  column('project_id', 'uuid', ({ after }) => after.projectId),
  column('occurred_at', 'timestamptz', ({ after }) => new Date(after.occurredAt).toISOString()),
  column('position', 'bigint', ({ position }) => position),
  ...COMMON_COLUMNS.map(unchanged),
  // Insert the document's text unchanged. Parsing and formatting could alter it.
  { name: 'document', type: 'json', json: ({ document }) => document.text },
  column('form', 'integer', ({ document }) => document.form?.id ?? null),
  ...OWN_COLUMNS[table].map(unchanged),
];
const COLUMNS = { visits: columnsOf('visits'), unknown_visits: columnsOf('unknown_visits') };

/** Returns SQL for the rows in $1, a JSON array. */
const rowsOf = (table: VisitTable): string =>
  `json_to_recordset($1::json) AS r (id uuid, ${COLUMNS[table].map(({ name, type }) => `${name} ${type}`).join(', ')})`;
const namesOf = (table: VisitTable): string[] => COLUMNS[table].map(({ name }) => name);

/**
 * Returns SQL that inserts rows or overwrites existing ones. `unknown_visits` already contains the ID of every visit.
 */
const put = (table: VisitTable): string => `
  INSERT INTO ${table} (id, ${namesOf(table).join(', ')})
  SELECT id, ${namesOf(table).join(', ')} FROM ${rowsOf(table)} ORDER BY id
  ON CONFLICT (id) DO UPDATE SET ${namesOf(table)
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')}`;

/** Clears everything but the ID, which keeps the visit from being stored again. */
const NOTHING = namesOf('unknown_visits')
  .map((name) => `${name} = NULL`)
  .join(', ');

@Injectable()
export class ReidentifiedVisitsRepository {
  constructor(
    private readonly forms: VisitFormsRepository,
    private readonly partitions: PartitionsRepository,
    private readonly counts: MovedCountsRepository,
    private readonly checkouts: CheckoutsRepository,
  ) {}

  /** Creates the partitions and forms that changes need. Must run before the transaction that stores them. */
  async prepare(changes: readonly ChangedRow[]): Promise<PreparedChange[]> {
    await this.partitions.ensure(new Set(changes.map(({ after }) => dayOf(timeOfId(after.id)))));
    const documents = await this.forms.divide(changes.map(({ after }) => after));
    return changes.map((change, index) => ({ ...change, document: documents[index]! }));
  }

  /**
   * Stores changes of a project's visits, with their counts and checkouts. Skips visits that have been deleted. Each
   * visit keeps its position, so live streams don't announce it again.
   *
   * @returns the stored changes.
   */
  async store(transaction: EntityManager, changes: readonly PreparedChange[]): Promise<ChangedRow[]> {
    const found = await find(transaction, changes);
    if (found.length === 0) return [];
    await this.requireForms(transaction, changes);
    const isOfAgent = ({ after }: FoundRow): boolean => after.agentId !== null;
    const ofAgents = found.filter(isOfAgent);
    const unknown = found.filter((row) => !isOfAgent(row));
    const idsOf = (rows: readonly FoundRow[]): string => arrayLiteral(rows.map(({ before }) => before.id));
    const gone = unknown.filter(({ isInVisits }) => isInVisits);
    if (gone.length > 0) await transaction.query(`DELETE FROM visits WHERE id = ANY ($1::uuid[])`, [idsOf(gone)]);
    const appeared = ofAgents.filter(({ isInVisits }) => !isInVisits);
    if (appeared.length > 0) {
      await transaction.query(`UPDATE unknown_visits SET ${NOTHING} WHERE id = ANY ($1::uuid[])`, [idsOf(appeared)]);
    }
    await putRows(transaction, 'visits', ofAgents);
    await putRows(transaction, 'unknown_visits', unknown);
    await this.counts.move(transaction, found);
    await this.checkouts.move(transaction, found);
    await noteChanges(transaction, found);
    return found;
  }

  /** @throws if forms are missing, for example after a restore. Visits can't be read without their form. */
  private async requireForms(transaction: EntityManager, changes: readonly PreparedChange[]): Promise<void> {
    const forms = [...new Set(changes.map(({ document }) => document.form).filter((form) => form !== null))];
    const [{ found }] = (await transaction.query(
      `SELECT count(*)::int AS found FROM unnest($1::integer[], $2::bytea[]) AS used (id, digest)
       JOIN visit_forms f ON (f.id, f.digest) = (used.id, used.digest)`,
      [arrayLiteral(forms.map(({ id }) => id)), forms.map(({ digest }) => digest)],
    )) as [{ found: number }];
    if (found === forms.length) return;
    this.forms.forget();
    throw new Error('forms of visits are gone; they are recorded anew');
  }
}

/** Locks the visits that still exist, in ID order. */
async function find(transaction: EntityManager, changes: readonly PreparedChange[]): Promise<FoundRow[]> {
  const ids = arrayLiteral(changes.map(({ before }) => before.id));
  const stored = new Map<string, { position: string | null; isInVisits: boolean }>();
  for (const table of ['unknown_visits', 'visits'] as const) {
    const rows: { id: string; position: string | null }[] = await transaction.query(
      `SELECT id, position FROM ${table} WHERE id = ANY ($1::uuid[]) AND project_id IS NOT NULL ORDER BY id FOR UPDATE`,
      [ids],
    );
    for (const { id, position } of rows) stored.set(id, { position, isInVisits: table === 'visits' });
  }
  return changes.flatMap((change) => {
    const known = stored.get(change.before.id);
    return known === undefined ? [] : [{ ...change, ...known }];
  });
}

/** Records the changes if the instance has Kafka. The console publishes them. */
async function noteChanges(transaction: EntityManager, rows: readonly FoundRow[]): Promise<void> {
  const visits = rows.map(({ after: { id, projectId, document } }) => ({
    visit_id: id,
    project_id: projectId,
    received_at: document!.received_at,
    occurred_at: document!.occurred_at,
  }));
  await transaction.query(
    `INSERT INTO visit_changes (visit_id, project_id, received_at, occurred_at)
     SELECT * FROM json_to_recordset($1::json)
       AS r (visit_id uuid, project_id uuid, received_at timestamptz, occurred_at timestamptz)
     WHERE (SELECT publishes_audit FROM instance_settings)`,
    [JSON.stringify(visits)],
  );
}

async function putRows(transaction: EntityManager, table: VisitTable, rows: readonly FoundRow[]): Promise<void> {
  if (rows.length === 0) return;
  await transaction.query(put(table), [`[${rows.map((row) => jsonOf(table, row)).join(',')}]`]);
}

function jsonOf(table: VisitTable, row: FoundRow): string {
  const id = `"id":${JSON.stringify(row.after.id)}`;
  // Visits that are only counted are stored as a bare ID.
  if (row.after.isCounted) return `{${id}}`;
  return `{${[id, ...COLUMNS[table].map(({ name, json }) => `"${name}":${json(row)}`)].join(',')}}`;
}
