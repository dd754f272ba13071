import { JsonMessage, type BusMessage } from '#libs/bus';
import { ENRICHED_EVENT_TYPE, ENRICHED_HEADERS, TOPICS, type EnrichedVisit } from '#libs/contracts';

/** CloudEvents 1.0 in the binary mode of its Kafka binding: attributes in headers, the visit as the value. */
export function enrichedMessage(visit: EnrichedVisit, batchId: string, traceparent: string | null): BusMessage {
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
    key: visit.client_address === null ? batchId : `${visit.project_id}:${visit.client_address}`,
    headers,
    json: visit,
  });
}
