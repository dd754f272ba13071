import { JsonMessage, type BusMessage } from '#libs/bus';
import { ENRICHED_EVENT_TYPE, ENRICHED_HEADERS, TOPICS, type EnrichedVisit } from '#libs/contracts';

/** Roughly what enrichment adds to a visit. */
const ADDED_BYTES = 500;

/** What all enriched visits of a batch are sent with. */
export interface Envelopes {
  /** Of an item that was received, on average. */
  itemBytes: number;
  /** Makes the key and the headers. */
  envelopeOf: ReturnType<typeof envelopes>;
}

/** CloudEvents 1.0 in the binary mode of its Kafka binding: attributes in headers, the visit as the value. */
export const enrichedMessage = (visit: EnrichedVisit, { itemBytes, envelopeOf }: Envelopes): BusMessage =>
  new JsonMessage(TOPICS.visitsEnriched, visit, itemBytes + ADDED_BYTES, envelopeOf);

/** Creates the keys and headers for a batch's visits. */
export const envelopes =
  (batchId: string, traceparent: string | null) =>
  (visit: EnrichedVisit): Pick<BusMessage, 'key' | 'headers'> => {
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
    return { key: visit.client_address === null ? batchId : `${visit.project_id}:${visit.client_address}`, headers };
  };
