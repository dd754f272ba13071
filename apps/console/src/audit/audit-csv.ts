import type { AuditEntry } from '#libs/contracts';
import { csvLine, type CsvCell } from '#libs/csv';

const json = (value: object | null): string | null => value && JSON.stringify(value);

/** Columns and their values. Append new columns at the end and never move existing ones. */
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
  before: ({ before }) => json(before),
  after: ({ after }) => json(after),
};

export const AUDIT_CSV_HEADER = csvLine(Object.keys(COLUMNS));

export const auditLine = (entry: AuditEntry): string => csvLine(Object.values(COLUMNS).map((read) => read(entry)));
