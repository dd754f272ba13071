import { readJson, refused, type JsonValue, type ReceivedMessage, type StepResult } from '#libs/bus';
import { EnrichedVisitSchema, faultLine, validator, type EnrichedVisit } from '#libs/contracts';

const enriched = validator(EnrichedVisitSchema);
const STEP = 'ingest:visit-row';

export interface ReadVisit {
  visit: EnrichedVisit;
  /** The same as JSON text. */
  text: string;
}

/** Reads a message of `visits.enriched.v1`, or says why it never can be read. */
export function readEnrichedVisit(message: ReceivedMessage): StepResult<ReadVisit> {
  let value: JsonValue;
  try {
    value = readJson(message, withCurrentNames);
  } catch (error) {
    return refused('malformed_message', `the value is not JSON: ${(error as Error).message}`, STEP);
  }
  const { json, text } = value;
  if (enriched.is(json)) return { ok: true, value: { visit: json as EnrichedVisit, text } };
  return refused('malformed_message', `not an enriched visit: ${faultLine(enriched.faults(json))}`, STEP);
}

/** Versions before 0.1 wrote `catalogue_version`; their messages may be on the topic still. */
const withCurrentNames = (text: string): string =>
  text.replace(/"catalogue_version":("[^"]*"\}\})$/, '"catalog_version":$1');
