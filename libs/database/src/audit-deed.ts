import type { AuditSubject } from '#libs/contracts';
import type { EntityManager } from 'typeorm';

/** An action to log that changes no audited table. */
interface Deed {
  subject: AuditSubject;
  id: string;
  projectId?: string;
  /** Details for the audit entry. */
  after?: object;
}

/** Writes an action to the audit log. Requires a transaction started by `auditedTransaction`. */
export async function auditDeed(
  transaction: EntityManager,
  { subject, id, projectId, after = {} }: Deed,
): Promise<void> {
  await transaction.query(
    `SELECT audit_record(audit_actor(), 'done', $1, $2, NULL, $3::uuid, NULL, nullif($4::jsonb, '{}'))`,
    [subject, id, projectId ?? null, JSON.stringify(after)],
  );
}
