import { JsonMessage, refused, type ReceivedMessage, type StepResult } from '#libs/bus';
import { EnrichedVisitSchema, faultLine, validator, type EnrichedVisit } from '#libs/contracts';

const enriched = validator(EnrichedVisitSchema);
const STEP = 'ingest:visit-row';

/** Reads a message of `visits.enriched.v1`, or says why it never can be read. */
export function readEnrichedVisit(message: ReceivedMessage): StepResult<EnrichedVisit> {
  // Enrichment made it in this process, of a visit that is valid; what comes from elsewhere is bytes.
  if (message instanceof JsonMessage) return { ok: true, value: message.json as EnrichedVisit };
  let json: unknown;
  try {
    json = JSON.parse(message.value.toString('utf8'));
  } catch (error) {
    return refused('malformed_message', `the value is not JSON: ${(error as Error).message}`, STEP);
  }
  if (enriched.is(json)) return { ok: true, value: json as EnrichedVisit };
  return refused('malformed_message', `not an enriched visit: ${faultLine(enriched.faults(json))}`, STEP);
}
