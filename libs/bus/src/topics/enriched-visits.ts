import {
  ENRICHED_EVENT_TYPE,
  ENRICHED_HEADERS,
  EnrichedVisitSchema,
  formatFaults,
  TOPICS,
  validator,
  type EnrichedVisit,
} from '#libs/contracts';
import type { ReceivedMessage } from '../message.js';
import { refused } from '../outcome.js';
import type { Topic } from '../topic.js';

const enriched = validator(EnrichedVisitSchema);
const STEP = 'ingest:visit-row';

export interface EnrichedEvent {
  visit: EnrichedVisit;
  /** See {@link enrichedKey}. */
  key: string | null;
  readonly traceparent: string | null;
  /** Approximate size of the visit as JSON, in bytes. */
  bytes: number;
}

/**
 * Returns the message key. All visits of a client share one, so the same consumer receives them. Visits without a
 * client address share their batch's key.
 */
export const enrichedKey = ({ project_id, client_address }: EnrichedVisit, batchId: string): string =>
  client_address === null ? batchId : `${project_id}:${client_address}`;

/** `visits.enriched.v1`: one visit, as a CloudEvents 1.0 event in the binary mode of its Kafka binding. */
export const ENRICHED_VISITS: Topic<EnrichedEvent> = {
  name: TOPICS.visitsEnriched,

  encode({ visit, key, traceparent }) {
    const headers: Record<string, string> = {
      [ENRICHED_HEADERS.specVersion]: '1.0',
      [ENRICHED_HEADERS.type]: ENRICHED_EVENT_TYPE,
      [ENRICHED_HEADERS.source]: `/projects/${visit.project_id}`,
      [ENRICHED_HEADERS.id]: visit.id,
      [ENRICHED_HEADERS.time]: visit.occurred_at,
      [ENRICHED_HEADERS.contentType]: 'application/json',
    };
    if (traceparent !== null) headers[ENRICHED_HEADERS.traceparent] = traceparent;
    return { topic: TOPICS.visitsEnriched, key, value: Buffer.from(JSON.stringify(visit)), headers };
  },

  decode(message) {
    const { value } = message;
    let json: unknown;
    try {
      json = JSON.parse(value.toString('utf8'));
    } catch (error) {
      return refused('malformed_message', `the value is not JSON: ${(error as Error).message}`, STEP);
    }
    if (!enriched.is(json)) {
      return refused('malformed_message', `not an enriched visit: ${formatFaults(enriched.faults(json))}`, STEP);
    }
    return { ok: true, value: new ReceivedEvent(json as EnrichedVisit, message) };
  },

  size: ({ bytes }) => bytes,
  traceparent: ({ traceparent }) => traceparent,
};

class ReceivedEvent implements EnrichedEvent {
  constructor(
    readonly visit: EnrichedVisit,
    private readonly message: ReceivedMessage,
  ) {}

  get key(): string | null {
    return this.message.key;
  }

  get bytes(): number {
    return this.message.value.length;
  }

  /** Read only if this service exports traces or logs at the debug level. */
  get traceparent(): string | null {
    return this.message.headers[ENRICHED_HEADERS.traceparent] ?? null;
  }
}
