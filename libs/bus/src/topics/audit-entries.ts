import { AUDIT_EVENT_TYPE, AUDIT_HEADERS, TOPIC_SETTINGS, TOPICS, type AuditEntry } from '#libs/contracts';
import type { OutboundTopic } from '../topic.js';

/** Maximum size of an entry as JSON. Leaves space for headers and framing. */
const MAX_ENTRY_BYTES = TOPIC_SETTINGS[TOPICS.audit].maxMessageBytes - 65_536;
/** Maximum size of each value of an entry that is too large. Entries have fewer than 40 values, before and after. */
const MAX_VALUE_BYTES = 16_384;

/** `audit.v1`: an entry of the audit log, CloudEvents 1.0 in binary mode. */
export const AUDIT_ENTRIES: OutboundTopic<AuditEntry> = {
  name: TOPICS.audit,

  encode: (entry) => ({
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
  }),
};

/** Custom agents can have more address ranges than a message holds. The audit log itself has all of them. */
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
