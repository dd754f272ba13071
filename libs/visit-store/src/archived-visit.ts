import { COMMON_COLUMNS, TABLE_COLUMNS, type VisitColumn } from './visit-columns.js';

type ColumnValue = string | number | null;

/** A stored visit with its columns and complete document. */
export interface ArchivedVisit extends Readonly<Record<string, ColumnValue>> {
  id: string;
  project_id: string;
  /** Milliseconds since the epoch. */
  occurred_at: number;
  /** Stream position: a 64-bit integer as text. */
  position: string;
  client_address: string | null;
  /** JSON text of the visit, as published. */
  document: string;
}

const KINDS = {
  text: 'text',
  uuid: 'uuid',
  smallint: 'integer',
  integer: 'integer',
  'double precision': 'number',
} as const;

const toArchivedColumn = ({ name, type }: VisitColumn) => ({ name, kind: KINDS[type as keyof typeof KINDS] });

/** Columns that {@link ArchivedVisit} doesn't list. Each can be null. */
export const ARCHIVED_COLUMNS = [...COMMON_COLUMNS, ...TABLE_COLUMNS.visits, ...TABLE_COLUMNS.unknown_visits].map(
  toArchivedColumn,
);

/** Compares visits by (occurred_at, id), the order in which they are archived. */
export const compareVisits = (one: ArchivedVisit, other: ArchivedVisit): number =>
  one.occurred_at - other.occurred_at || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);
