import { JsonMessage, type BusMessage } from '#libs/bus';
import { ENRICHED_EVENT_TYPE, ENRICHED_HEADERS, TOPICS, type EnrichedVisit } from '#libs/contracts';
import type { ReceivedBatch } from './read-batch.step.js';

/** Roughly what enrichment adds to a visit. */
const ADDED_BYTES = 500;

/** CloudEvents 1.0 in the binary mode of its Kafka binding: attributes in headers, the visit as the value. */
export const enrichedMessage = (visit: EnrichedVisit, batch: ReceivedBatch): BusMessage =>
  new JsonMessage(TOPICS.visitsEnriched, visit, batch.itemBytes + ADDED_BYTES, () => envelopeOf(visit, batch));

function envelopeOf(visit: EnrichedVisit, { id, traceparent }: ReceivedBatch): Pick<BusMessage, 'key' | 'headers'> {
  const headers: Record<string, string> = {
    [ENRICHED_HEADERS.specVersion]: '1.0',
    [ENRICHED_HEADERS.type]: ENRICHED_EVENT_TYPE,
    [ENRICHED_HEADERS.source]: `/projects/${visit.project_id}`,
    [ENRICHED_HEADERS.id]: visit.id,
    [ENRICHED_HEADERS.time]: visit.occurred_at,
    [ENRICHED_HEADERS.contentType]: 'application/json',
  };
  if (traceparent !== null) headers[ENRICHED_HEADERS.traceparent] = traceparent;
  // One consumer sees all visits of a client; those of unknown clients are spread.
  return { key: visit.client_address === null ? id : `${visit.project_id}:${visit.client_address}`, headers };
}
