import type { AuditSubject } from '#libs/contracts';
import type { EntityManager } from 'typeorm';

/** Something done of which no table that the audit log follows says anything. */
interface Deed {
  subject: AuditSubject;
  id: string;
  projectId?: string;
  /** What the entry has of it. */
  after?: object;
}

/** Adds a deed to the audit log, in the transaction in which it is done, which `auditedTransaction` started. */
export async function auditDeed(
  transaction: EntityManager,
  { subject, id, projectId, after = {} }: Deed,
): Promise<void> {
  await transaction.query(
    `SELECT audit_record(audit_actor(), 'done', $1, $2, NULL, $3::uuid, NULL, nullif($4::jsonb, '{}'))`,
    [subject, id, projectId ?? null, JSON.stringify(after)],
  );
}
