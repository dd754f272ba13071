import type { BusMessage } from '#libs/bus';
import { AUDIT_EVENT_TYPE, AUDIT_HEADERS, TOPIC_SETTINGS, TOPICS, type AuditEntry } from '#libs/contracts';

/** Of an entry in JSON, besides headers and framing. */
const MAX_ENTRY_BYTES = TOPIC_SETTINGS[TOPICS.audit].maxMessageBytes - 65_536;
/** Of each value in an entry that is too large: of fewer than 40 columns, before and after. */
const MAX_VALUE_BYTES = 16_384;

/** An entry of the audit log as other services read it. */
export const auditMessage = (entry: AuditEntry): BusMessage => ({
  topic: TOPICS.audit,
  key: entry.project_id ?? 'instance',
  value: jsonOf(entry),
  headers: {
    [AUDIT_HEADERS.specVersion]: '1.0',
    [AUDIT_HEADERS.type]: AUDIT_EVENT_TYPE,
    [AUDIT_HEADERS.source]: entry.project_id === null ? '/' : `/projects/${entry.project_id}`,
    [AUDIT_HEADERS.id]: entry.id,
    [AUDIT_HEADERS.time]: entry.occurred_at,
    [AUDIT_HEADERS.contentType]: 'application/json',
  },
});

/** Agents of one's own may have more address ranges than a message takes. The log itself has them all. */
function jsonOf(entry: AuditEntry): Buffer {
  const json = Buffer.from(JSON.stringify(entry));
  if (json.length <= MAX_ENTRY_BYTES) return json;
  return Buffer.from(JSON.stringify({ ...entry, before: shortened(entry.before), after: shortened(entry.after) }));
}

const shortened = (values: AuditEntry['before']): AuditEntry['before'] =>
  values &&
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      Buffer.byteLength(JSON.stringify(value)) > MAX_VALUE_BYTES ? '[too large]' : value,
    ]),
  );
