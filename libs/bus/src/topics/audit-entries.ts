import { AUDIT_EVENT_TYPE, AUDIT_HEADERS, TOPIC_SETTINGS, TOPICS, type AuditEntry } from '#libs/contracts';
import type { OutboundTopic } from '../topic.js';

/** Maximum size of an entry's JSON in bytes. Leaves space for headers and framing. */
const MAX_ENTRY_BYTES = TOPIC_SETTINGS[TOPICS.audit].maxMessageBytes - 65_536;
/** Maximum size in bytes of each value if the entry is too large. Entries have fewer than 40 values in total. */
const MAX_VALUE_BYTES = 16_384;

/** `audit.v1`: an entry of the audit log, as a CloudEvents 1.0 event in binary mode. */
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

/**
 * Returns the JSON of an entry. Leaves out large values if the entry is too large, such as a custom agent with many
 * address ranges. The audit log itself has all values.
 */
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
