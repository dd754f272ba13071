import type { AuditSubject } from '#libs/contracts';
import type { EntityManager } from 'typeorm';

/** An action that changes no audited table, so no trigger records it. */
interface AuditedAction {
  subject: AuditSubject;
  id: string;
  projectId?: string;
  /** Details to include in the audit entry. */
  after?: object;
}

/** Records an action in the audit log. Requires a transaction started by `auditedTransaction`. */
export async function recordAuditedAction(
  transaction: EntityManager,
  { subject, id, projectId, after = {} }: AuditedAction,
): Promise<void> {
  await transaction.query(
    `SELECT audit_record(audit_actor(), 'done', $1, $2, NULL, $3::uuid, NULL, nullif($4::jsonb, '{}'))`,
    [subject, id, projectId ?? null, JSON.stringify(after)],
  );
}
