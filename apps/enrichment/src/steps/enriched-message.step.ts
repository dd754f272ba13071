import { JsonMessage, type BusMessage } from '#libs/bus';
import { ENRICHED_EVENT_TYPE, ENRICHED_HEADERS, TOPICS, type EnrichedVisit } from '#libs/contracts';
import type { ReceivedBatch } from './read-batch.step.js';

/** Roughly what enrichment adds to a visit. */
const ADDED_BYTES = 500;

/** CloudEvents 1.0 in the binary mode of its Kafka binding: attributes in headers, the visit as the value. */
export function enrichedMessage(visit: EnrichedVisit, { id, traceparent, itemBytes }: ReceivedBatch): BusMessage {
  const headers: Record<string, string> = {
    [ENRICHED_HEADERS.specVersion]: '1.0',
    [ENRICHED_HEADERS.type]: ENRICHED_EVENT_TYPE,
    [ENRICHED_HEADERS.source]: `/projects/${visit.project_id}`,
    [ENRICHED_HEADERS.id]: visit.id,
    [ENRICHED_HEADERS.time]: visit.occurred_at,
    [ENRICHED_HEADERS.contentType]: 'application/json',
  };
  if (traceparent !== null) headers[ENRICHED_HEADERS.traceparent] = traceparent;
  return new JsonMessage({
    topic: TOPICS.visitsEnriched,
    // One consumer sees all visits of a client; those of unknown clients are spread.
    key: visit.client_address === null ? id : `${visit.project_id}:${visit.client_address}`,
    headers,
    json: visit,
    bytes: itemBytes + ADDED_BYTES,
  });
}
