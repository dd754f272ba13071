import type { AuditEntry } from '#libs/contracts';
import { formatCsvLine, type CsvCell } from '#libs/csv';

const toJson = (value: object | null): string | null => value && JSON.stringify(value);

/** Columns and their values. Only append columns, because readers may rely on their order. */
const COLUMNS: Record<string, (entry: AuditEntry) => CsvCell> = {
  id: ({ id }) => id,
  occurred_at: (entry) => entry.occurred_at,
  project_id: (entry) => entry.project_id,
  actor_type: ({ actor }) => actor.type,
  actor_id: ({ actor }) => actor.id,
  actor_name: ({ actor }) => actor.name,
  address: ({ actor }) => actor.address,
  via: ({ actor }) => actor.via,
  request_id: ({ actor }) => actor.request_id,
  operation: ({ operation }) => operation,
  change: ({ change }) => change,
  subject_type: ({ subject }) => subject.type,
  subject_id: ({ subject }) => subject.id,
  subject_name: ({ subject }) => subject.name,
  before: ({ before }) => toJson(before),
  after: ({ after }) => toJson(after),
};

export const AUDIT_CSV_HEADER = formatCsvLine(Object.keys(COLUMNS));

export const toCsvLine = (entry: AuditEntry): string =>
  formatCsvLine(Object.values(COLUMNS).map((read) => read(entry)));
