import type { BusMessage } from '#libs/bus';
import { ENRICHED_EVENT_TYPE, TOPICS, type EnrichedVisit } from '#libs/contracts';

/** CloudEvents 1.0 in the binary mode of its Kafka binding: attributes in headers, the visit as the value. */
export function enrichedMessage(visit: EnrichedVisit, batchId: string, traceparent: string | null): BusMessage {
  const headers: Record<string, string> = {
    ce_specversion: '1.0',
    ce_type: ENRICHED_EVENT_TYPE,
    ce_source: `/projects/${visit.project_id}`,
    ce_id: visit.id,
    ce_time: visit.occurred_at,
    'content-type': 'application/json',
  };
  if (traceparent !== null) headers['traceparent'] = traceparent;
  return {
    topic: TOPICS.visitsEnriched,
    // One consumer sees all visits of a client; those of unknown clients are spread.
    key: visit.client_address === null ? batchId : `${visit.project_id}:${visit.client_address}`,
    value: Buffer.from(JSON.stringify(visit)),
    headers,
  };
}
