import type { BusMessage } from '#libs/bus';
import { AUDIT_EVENT_TYPE, AUDIT_HEADERS, TOPICS, type AuditEntry } from '#libs/contracts';

/** An entry of the audit log as other services read it. */
export const auditMessage = (entry: AuditEntry): BusMessage => ({
  topic: TOPICS.audit,
  key: entry.project_id ?? 'instance',
  value: Buffer.from(JSON.stringify(entry)),
  headers: {
    [AUDIT_HEADERS.specVersion]: '1.0',
    [AUDIT_HEADERS.type]: AUDIT_EVENT_TYPE,
    [AUDIT_HEADERS.source]: entry.project_id === null ? '/' : `/projects/${entry.project_id}`,
    [AUDIT_HEADERS.id]: entry.id,
    [AUDIT_HEADERS.time]: entry.occurred_at,
    [AUDIT_HEADERS.contentType]: 'application/json',
  },
});
