import { AUDIT_EVENT_TYPE, AUDIT_HEADERS, TOPIC_SETTINGS, TOPICS, type AuditEntry } from '#libs/contracts';
import type { OutboundTopic } from '../topic.js';

/** Maximum size of an entry's JSON in bytes, which leaves space for headers and framing. */
const MAX_ENTRY_BYTES = TOPIC_SETTINGS[TOPICS.audit].maxMessageBytes - 65_536;
/**
 * If an entry is too large, values above this size in bytes are omitted. Entries have fewer than 40 values in total.
 */
const MAX_VALUE_BYTES = 16_384;

/** `audit.v1`: an audit log entry as a CloudEvents 1.0 event in binary mode. */
export const AUDIT_ENTRIES: OutboundTopic<AuditEntry> = {
  name: TOPICS.audit,

  encode: (entry) => ({
    topic: TOPICS.audit,
    key: entry.project_id ?? 'instance',
    value: toJson(entry),
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
 * If the entry is too large, omits its large values, such as the address ranges of a custom agent. The audit log itself
 * contains all values.
 */
function toJson(entry: AuditEntry): Buffer {
  const json = Buffer.from(JSON.stringify(entry));
  if (json.length <= MAX_ENTRY_BYTES) return json;
  return Buffer.from(JSON.stringify({ ...entry, before: shorten(entry.before), after: shorten(entry.after) }));
}

const shorten = (values: AuditEntry['before']): AuditEntry['before'] =>
  values &&
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      Buffer.byteLength(JSON.stringify(value)) > MAX_VALUE_BYTES ? '[too large]' : value,
    ]),
  );
