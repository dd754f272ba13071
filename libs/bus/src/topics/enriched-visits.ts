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
import { toDeadLetter } from '../outcome.js';
import type { Topic } from '../topic.js';

const enrichedVisitValidator = validator(EnrichedVisitSchema);
const DECODE_STEP = 'ingest:visit-row';

export interface EnrichedEvent {
  visit: EnrichedVisit;
  /** Message key. See {@link getEnrichedKey}. */
  key: string | null;
  readonly traceparent: string | null;
  /** Approximate size of the visit's JSON in bytes. */
  bytes: number;
}

/**
 * Returns the message key. All visits by a client have the same key, so the same consumer receives them. Visits without
 * a client address have their batch's key.
 */
export const getEnrichedKey = ({ project_id, client_address }: EnrichedVisit, batchId: string): string =>
  client_address === null ? batchId : `${project_id}:${client_address}`;

/** `visits.enriched.v1`: a visit as a CloudEvents 1.0 event in binary mode of the Kafka binding. */
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
      return toDeadLetter('malformed_message', `the value isn't valid JSON: ${(error as Error).message}`, DECODE_STEP);
    }
    if (!enrichedVisitValidator.is(json)) {
      return toDeadLetter(
        'malformed_message',
        `not an enriched visit: ${formatFaults(enrichedVisitValidator.faults(json))}`,
        DECODE_STEP,
      );
    }
    return { ok: true, value: new ReceivedEvent(json as EnrichedVisit, message) };
  },

  getSize: ({ bytes }) => bytes,
  getTraceparent: ({ traceparent }) => traceparent,
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
