/**
 * Versioned topic names. Breaking changes are published to a new topic. `libs/bus/src/topics` defines values and
 * encodings. The handlers (`@ConsumeBatch`) are in the `*.consumer.ts` files in apps/enrichment and apps/ingest.
 */
export const TOPICS = {
  /** Visits from one request, as the bytes received. Key: batch ID. */
  visitsReceived: 'visits.received.v1',
  /** Enriched visit, as a CloudEvent 1.0 in binary mode. Key: project ID and client address. */
  visitsEnriched: 'visits.enriched.v1',
  /** Change to a published visit, as a CloudEvent 1.0 in binary mode. Key: visit ID or project ID. */
  visitsChanged: 'visits.changed.v1',
  /** Message that can't be processed: the original bytes, with the reason in headers. */
  visitsDeadLetter: 'visits.dead-letter.v1',
  /** Audit log entry, as a CloudEvent 1.0 in binary mode. Key: project ID or `instance`. */
  audit: 'audit.v1',
} as const;

export type TopicName = (typeof TOPICS)[keyof typeof TOPICS];

const MIB = 1024 * 1024;

/** Settings for new topics. Existing topics must accept messages of the same size. */
export const TOPIC_SETTINGS: Record<TopicName, { maxMessageBytes: number; retentionDays: number }> = {
  [TOPICS.visitsReceived]: { maxMessageBytes: 2 * MIB, retentionDays: 7 },
  [TOPICS.visitsEnriched]: { maxMessageBytes: 2 * MIB, retentionDays: 7 },
  [TOPICS.visitsChanged]: { maxMessageBytes: 2 * MIB, retentionDays: 7 },
  // Contains an entire message and the reason for its failure.
  [TOPICS.visitsDeadLetter]: { maxMessageBytes: 3 * MIB, retentionDays: 30 },
  // The largest entries contain an edited agent before and after the change. Values that don't fit are replaced.
  [TOPICS.audit]: { maxMessageBytes: 2 * MIB, retentionDays: 30 },
};

/** Topics that only external consumers read. */
export const OUTBOUND_TOPICS: ReadonlySet<TopicName> = new Set([TOPICS.audit, TOPICS.visitsChanged]);

export const CONSUMER_GROUPS = { enrichment: 'enrichment', ingest: 'ingest' } as const;

/** Headers of messages on `visits.received.v1`. */
export const RECEIVED_HEADERS = {
  batchId: 'batch_id',
  projectId: 'project_id',
  /** Time in the batch ID (RFC 3339, UTC, with milliseconds). */
  receivedAt: 'received_at',
  /**
   * Indexes of the visits in the posted array, as ranges ("0-4,6,8-99"). Absent if they are 0 to n-1. Present if items were
   * rejected or the batch was split.
   */
  indices: 'indices',
  /**
   * Comma-separated visit IDs. Only present for drains and imports, which can report a visit again in another batch. All
   * other visit IDs are derived from the batch ID and the indexes.
   */
  visitIds: 'visit_ids',
  /** W3C Trace Context. */
  traceparent: 'traceparent',
} as const;

/** CloudEvents type of messages on `visits.enriched.v1`. */
export const ENRICHED_EVENT_TYPE = 'agent-traffic.visit.enriched.v1';

/** Headers of CloudEvents 1.0 messages in binary mode (Kafka binding). */
const CLOUD_EVENT_HEADERS = {
  specVersion: 'ce_specversion',
  type: 'ce_type',
  source: 'ce_source',
  /** ID of the visit, change or audit log entry. */
  id: 'ce_id',
  /** Time of the event. */
  time: 'ce_time',
  contentType: 'content-type',
} as const;

/** Headers of messages on `visits.enriched.v1`. */
export const ENRICHED_HEADERS = {
  ...CLOUD_EVENT_HEADERS,
  /** W3C Trace Context. */
  traceparent: 'traceparent',
} as const;

/** CloudEvents type of messages on `visits.changed.v1`. */
export const CHANGED_EVENT_TYPE = 'agent-traffic.visit.changed.v1';

/** Headers of messages on `visits.changed.v1`. */
export const CHANGED_HEADERS = CLOUD_EVENT_HEADERS;

/** CloudEvents type of messages on `audit.v1`. */
export const AUDIT_EVENT_TYPE = 'agent-traffic.audit.entry.v1';

/** Headers of messages on `audit.v1`. */
export const AUDIT_HEADERS = CLOUD_EVENT_HEADERS;

/** Headers of messages on `visits.dead-letter.v1`, in addition to the original headers (prefix `original_`). */
export const DEAD_LETTER_HEADERS = {
  /** UUID that is identical whenever the same failure repeats. */
  id: 'dead_letter_id',
  projectId: 'dead_letter_project_id',
  /** One of {@link DEAD_LETTER_REASONS}. */
  reason: 'dead_letter_reason',
  /** Human-readable reason. */
  detail: 'dead_letter_detail',
  /** Name of the pipeline step that failed. */
  step: 'dead_letter_step',
  failedAt: 'dead_letter_failed_at',
  topic: 'dead_letter_topic',
  partition: 'dead_letter_partition',
  offset: 'dead_letter_offset',
} as const;

/** Reasons a message can't be processed. The list is closed so that each reason can be counted. */
export const DEAD_LETTER_REASONS = [
  'invalid_visit',
  'malformed_message',
  'too_deep',
  'too_large',
  'from_the_future',
  'refused_by_database',
] as const;
export type DeadLetterReason = (typeof DEAD_LETTER_REASONS)[number];

/** Prefix for the original message's headers in a dead letter. */
export const ORIGINAL_HEADER_PREFIX = 'original_';

/** PubSub channel on which ingest announces new visits to a project. The payload is empty. */
export const visitsChannel = (projectId: string): string => `visits:${projectId}`;

/** PubSub channel on which the console announces changes to tokens, keys, settings or rules. The payload is empty. */
export const ACCESS_CHANNEL = 'access';

/** KeyValue name under which gateways cache a token's permissions. The console deletes it when the token is revoked. */
export const accessKey = (tokenHash: string): string => `access:${tokenHash}`;

/** PubSub channel on which the catalog service announces changes. The payload is the catalog's revision. */
export const CATALOG_CHANNEL = 'catalog';

/** KeyValue names for the catalog's snapshot and revision. */
export const CATALOG_KEYS = { snapshot: 'catalog:snapshot', revision: 'catalog:revision' } as const;
