import type { AuditEntry } from '#libs/contracts';

export type AuditRow = Omit<AuditEntry, 'occurred_at'> & {
  occurred_at: Date;
  /** `occurred_at` in microseconds since the epoch. */
  position: string;
};

/** SQL columns of `audit_entries` for an {@link AuditRow}. */
export const AUDIT_COLUMNS = `id, occurred_at, (extract(epoch FROM occurred_at) * 1000000)::bigint AS position, project_id,
  json_build_object('type', actor_type, 'id', actor_id, 'name', actor_name, 'address', address, 'via', via,
    'request_id', request_id) AS actor,
  operation, change, json_build_object('type', subject_type, 'id', subject_id, 'name', subject_name) AS subject,
  before, after`;

export function toEntry(row: AuditRow): AuditEntry {
  const { position: _, occurred_at: at, ...entry } = row;
  return { ...entry, occurred_at: at.toISOString() };
}
