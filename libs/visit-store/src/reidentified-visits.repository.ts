import { Injectable } from '@nestjs/common';
import { getTimeFromId } from '#libs/contracts';
import { arrayLiteral } from '#libs/database';
import type { EntityManager } from 'typeorm';
import { CheckoutsRepository } from './checkouts.repository.js';
import { toDayNumber, PartitionsRepository } from './partitions.repository.js';
import { COMMON_COLUMNS, TABLE_COLUMNS, type VisitColumn, type VisitTable } from './visit-columns.js';
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

interface LockedChange extends PreparedChange {
  /** Stream position as the text of a bigint. Re-identification doesn't change it. */
  position: string | null;
  isInVisits: boolean;
}

interface Column {
  name: string;
  type: string;
  json: (row: LockedChange) => string;
}

const column = (name: string, type: string, valueOf: (row: LockedChange) => string | number | null): Column => ({
  name,
  type,
  json: (row) => JSON.stringify(valueOf(row)),
});
const unchanged = ({ name, type, member }: VisitColumn): Column => column(name, type, ({ after }) => after[member]);

const buildColumns = (table: VisitTable): readonly Column[] => [
  column('project_id', 'uuid', ({ after }) => after.projectId),
  column('occurred_at', 'timestamptz', ({ after }) => new Date(after.occurredAt).toISOString()),
  column('position', 'bigint', ({ position }) => position),
  ...COMMON_COLUMNS.map(unchanged),
  // The document is inserted as text, because parsing and formatting could alter it.
  { name: 'document', type: 'json', json: ({ document }) => document.text },
  column('form', 'integer', ({ document }) => document.form?.id ?? null),
  ...TABLE_COLUMNS[table].map(unchanged),
];
const COLUMNS = { visits: buildColumns('visits'), unknown_visits: buildColumns('unknown_visits') };

const rowsSql = (table: VisitTable): string =>
  `json_to_recordset($1::json) AS r (id uuid, ${COLUMNS[table].map(({ name, type }) => `${name} ${type}`).join(', ')})`;
const columnNames = (table: VisitTable): string[] => COLUMNS[table].map(({ name }) => name);

/**
 * Returns SQL that inserts or overwrites the rows in $1, a JSON array. An upsert is required because `unknown_visits`
 * already contains the ID of every visit.
 */
const upsertSql = (table: VisitTable): string => `
  INSERT INTO ${table} (id, ${columnNames(table).join(', ')})
  SELECT id, ${columnNames(table).join(', ')} FROM ${rowsSql(table)} ORDER BY id
  ON CONFLICT (id) DO UPDATE SET ${columnNames(table)
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')}`;

/** Assignments that clear every column except the ID. The ID remains, so the visit can't be stored twice. */
const CLEAR_COLUMNS = columnNames('unknown_visits')
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

  /**
   * Creates the partitions and forms that the changes require. Call it before starting the transaction that stores
   * them.
   */
  async prepare(changes: readonly ChangedRow[]): Promise<PreparedChange[]> {
    await this.partitions.ensure(new Set(changes.map(({ after }) => toDayNumber(getTimeFromId(after.id)))));
    const documents = await this.forms.divide(changes.map(({ after }) => after));
    return changes.map((change, index) => ({ ...change, document: documents[index]! }));
  }

  /**
   * Stores changes to a project's visits, and updates counts and checkouts. Skips visits that have been deleted. Visits
   * keep their position, so live streams don't send them again.
   *
   * @returns the stored changes.
   */
  async store(transaction: EntityManager, changes: readonly PreparedChange[]): Promise<ChangedRow[]> {
    const found = await lockStoredVisits(transaction, changes);
    if (found.length === 0) return [];
    await this.requireForms(transaction, changes);
    const isByAgent = ({ after }: LockedChange): boolean => after.agentId !== null;
    const agentRows = found.filter(isByAgent);
    const unknownRows = found.filter((row) => !isByAgent(row));
    const toIdArray = (rows: readonly LockedChange[]): string => arrayLiteral(rows.map(({ before }) => before.id));
    const rowsToDelete = unknownRows.filter(({ isInVisits }) => isInVisits);
    if (rowsToDelete.length > 0)
      await transaction.query(`DELETE FROM visits WHERE id = ANY ($1::uuid[])`, [toIdArray(rowsToDelete)]);
    const rowsToClear = agentRows.filter(({ isInVisits }) => !isInVisits);
    if (rowsToClear.length > 0) {
      await transaction.query(`UPDATE unknown_visits SET ${CLEAR_COLUMNS} WHERE id = ANY ($1::uuid[])`, [
        toIdArray(rowsToClear),
      ]);
    }
    await upsertRows(transaction, 'visits', agentRows);
    await upsertRows(transaction, 'unknown_visits', unknownRows);
    await this.counts.move(transaction, found);
    await this.checkouts.reassignAgents(transaction, found);
    await recordChanges(transaction, found);
    return found;
  }

  /** @throws {Error} if forms are missing, for example after a restore. Visits can't be read without their form. */
  private async requireForms(transaction: EntityManager, changes: readonly PreparedChange[]): Promise<void> {
    const forms = [...new Set(changes.map(({ document }) => document.form).filter((form) => form !== null))];
    const [{ found }] = (await transaction.query(
      `SELECT count(*)::int AS found FROM unnest($1::integer[], $2::bytea[]) AS used (id, digest)
       JOIN visit_forms f ON (f.id, f.digest) = (used.id, used.digest)`,
      [arrayLiteral(forms.map(({ id }) => id)), forms.map(({ digest }) => digest)],
    )) as [{ found: number }];
    if (found === forms.length) return;
    this.forms.clearCache();
    throw new Error('Visit forms are missing from the database. They will be recorded again on the next attempt.');
  }
}

/** Locks and returns the visits that still exist, in ID order. */
async function lockStoredVisits(
  transaction: EntityManager,
  changes: readonly PreparedChange[],
): Promise<LockedChange[]> {
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
    const storedRow = stored.get(change.before.id);
    return storedRow === undefined ? [] : [{ ...change, ...storedRow }];
  });
}

/** Adds the changes to the outbox if the instance has Kafka. The console publishes them. */
export async function recordChanges(transaction: EntityManager, rows: readonly ChangedRow[]): Promise<void> {
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

async function upsertRows(transaction: EntityManager, table: VisitTable, rows: readonly LockedChange[]): Promise<void> {
  if (rows.length === 0) return;
  await transaction.query(upsertSql(table), [`[${rows.map((row) => toJson(table, row)).join(',')}]`]);
}

function toJson(table: VisitTable, row: LockedChange): string {
  const id = `"id":${JSON.stringify(row.after.id)}`;
  // A row for a count-only visit consists of just an ID.
  if (row.after.isCounted) return `{${id}}`;
  return `{${[id, ...COLUMNS[table].map(({ name, json }) => `"${name}":${json(row)}`)].join(',')}}`;
}
