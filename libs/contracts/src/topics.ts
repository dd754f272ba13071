/**
 * Names of topics, with a version: a breaking change is a new topic. Their values and encodings are in `libs/bus/src/topics`,
 * their handlers (`@ConsumeBatch`) in `*.consumer.ts` of apps/enrichment and apps/ingest.
 */
export const TOPICS = {
  /** One POST's batch, the body's bytes as they came. Key: batch id. */
  visitsReceived: 'visits.received.v1',
  /** One enriched visit, CloudEvents 1.0 in binary mode. Key: project id and client address. */
  visitsEnriched: 'visits.enriched.v1',
  /** What became of a visit after it was published, CloudEvents 1.0 in binary mode. Key: the visit's id, or the project id. */
  visitsChanged: 'visits.changed.v1',
  /** What could never be processed: untouched bytes, the reason in headers. */
  visitsDeadLetter: 'visits.dead-letter.v1',
  /** One entry of the audit log, CloudEvents 1.0 in binary mode. Key: project id, or `instance`. */
  audit: 'audit.v1',
} as const;

export type TopicName = (typeof TOPICS)[keyof typeof TOPICS];

const MIB = 1024 * 1024;

/** How topics are made; one that exists already has to take messages as large. */
export const TOPIC_SETTINGS: Record<TopicName, { maxMessageBytes: number; retentionDays: number }> = {
  [TOPICS.visitsReceived]: { maxMessageBytes: 2 * MIB, retentionDays: 7 },
  [TOPICS.visitsEnriched]: { maxMessageBytes: 2 * MIB, retentionDays: 7 },
  [TOPICS.visitsChanged]: { maxMessageBytes: 2 * MIB, retentionDays: 7 },
  // Holds a whole message and why it failed.
  [TOPICS.visitsDeadLetter]: { maxMessageBytes: 3 * MIB, retentionDays: 30 },
  // An agent of one's own before and after, as far as it fits.
  [TOPICS.audit]: { maxMessageBytes: 2 * MIB, retentionDays: 30 },
};

/** Topics that services of ours publish on and none reads. */
export const OUTBOUND_TOPICS: ReadonlySet<TopicName> = new Set([TOPICS.audit, TOPICS.visitsChanged]);

/** Consumer groups, one for each service that reads from the bus. */
export const CONSUMER_GROUPS = { enrichment: 'enrichment', ingest: 'ingest' } as const;

/** Headers of a message on `visits.received.v1`. */
export const RECEIVED_HEADERS = {
  batchId: 'batch_id',
  projectId: 'project_id',
  /** RFC 3339, UTC, milliseconds: the time in the batch id. */
  receivedAt: 'received_at',
  /**
   * Positions of the carried visits in the array as it was posted, as ranges ("0-4,6,8-99"). Present only
   * where they are not simply 0…n-1, because items were refused or the batch was split.
   */
  indices: 'indices',
  /**
   * Ids of the carried visits, separated by commas. Present only if a visit may be posted again in another batch, by a drain or an
   * import: otherwise they follow from the batch id and the indices.
   */
  visitIds: 'visit_ids',
  /** W3C Trace Context. */
  traceparent: 'traceparent',
} as const;

/** CloudEvents type of a message on `visits.enriched.v1`. */
export const ENRICHED_EVENT_TYPE = 'agent-traffic.visit.enriched.v1';

/** Headers of a CloudEvents 1.0 message, Kafka binding, binary mode. */
const CLOUD_EVENT_HEADERS = {
  specVersion: 'ce_specversion',
  type: 'ce_type',
  source: 'ce_source',
  /** ID of the visit, the change or the entry. */
  id: 'ce_id',
  /** When it occurred. */
  time: 'ce_time',
  contentType: 'content-type',
} as const;

/** Headers of a message on `visits.enriched.v1`. */
export const ENRICHED_HEADERS = {
  ...CLOUD_EVENT_HEADERS,
  /** W3C Trace Context. */
  traceparent: 'traceparent',
} as const;

/** CloudEvents type of a message on `visits.changed.v1`. */
export const CHANGED_EVENT_TYPE = 'agent-traffic.visit.changed.v1';

/** Headers of a message on `visits.changed.v1`. */
export const CHANGED_HEADERS = CLOUD_EVENT_HEADERS;

/** CloudEvents type of a message on `audit.v1`. */
export const AUDIT_EVENT_TYPE = 'agent-traffic.audit.entry.v1';

/** Headers of a message on `audit.v1`. */
export const AUDIT_HEADERS = CLOUD_EVENT_HEADERS;

/** Headers of a message on `visits.dead-letter.v1`, beside those the message had (prefix `original_`). */
export const DEAD_LETTER_HEADERS = {
  /** UUID of the dead letter: the same for every redelivery of the same failure. */
  id: 'dead_letter_id',
  projectId: 'dead_letter_project_id',
  /** One of {@link DEAD_LETTER_REASONS}. */
  reason: 'dead_letter_reason',
  /** A sentence for people. */
  detail: 'dead_letter_detail',
  /** Name of the pipeline step that gave up. */
  step: 'dead_letter_step',
  failedAt: 'dead_letter_failed_at',
  topic: 'dead_letter_topic',
  partition: 'dead_letter_partition',
  offset: 'dead_letter_offset',
} as const;

/** Why a message can never be processed. Closed, so that every one of them is counted. */
export const DEAD_LETTER_REASONS = [
  'invalid_visit',
  'malformed_message',
  'too_deep',
  'too_large',
  'from_the_future',
  'refused_by_database',
] as const;
export type DeadLetterReason = (typeof DEAD_LETTER_REASONS)[number];

/** Prefix of the original message's headers on a dead letter. */
export const ORIGINAL_HEADER_PREFIX = 'original_';

/** PubSub channel on which ingest says that a project has new visits; the payload is empty. */
export const visitsChannel = (projectId: string): string => `visits:${projectId}`;

/** PubSub channel on which the console says that tokens, keys, settings or rules changed; the payload is empty. */
export const ACCESS_CHANNEL = 'access';

/** KeyValue name under which gateways share what the database said of a token; the console deletes it on revocation. */
export const accessKey = (tokenHash: string): string => `access:${tokenHash}`;

/** PubSub channel on which catalog says that the catalog changed; the payload is its revision. */
export const CATALOG_CHANNEL = 'catalog';

/** KeyValue names of the catalog's snapshot and of its revision. */
export const CATALOG_KEYS = { snapshot: 'catalog:snapshot', revision: 'catalog:revision' } as const;
