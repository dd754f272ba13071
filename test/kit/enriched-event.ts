import { ENRICHED_VISITS, type EnrichedEvent } from '#libs/bus';

/** Returns the event that ingest receives for an enriched visit. */
export function enrichedEvent(visit: object): EnrichedEvent {
  const value = Buffer.from(JSON.stringify(visit));
  const decoded = ENRICHED_VISITS.decode({ topic: ENRICHED_VISITS.name, key: null, value, headers: {} });
  if (!decoded.ok) throw new Error(decoded.outcome.detail);
  return decoded.value;
}
