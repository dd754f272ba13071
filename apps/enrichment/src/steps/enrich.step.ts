import type { SiteSettings } from '#libs/catalog';
import { parseTimestamp, type EnrichedVisit, type Visit } from '#libs/contracts';
import type { IdentificationRequest, IdentifiedRequest } from '#libs/evidence';

/** `at` is the time of the visit in milliseconds since the epoch. */
type VisitRequest = IdentificationRequest & { at: number };

export interface Receipt {
  projectId: string;
  /** Milliseconds since the epoch. */
  receivedAt: number;
  /** `receivedAt` in RFC 3339 format. */
  receivedAtText: string;
}

export function identificationRequest(visit: Visit, batch: Receipt, site: SiteSettings): VisitRequest {
  return {
    headers: visit.request_headers,
    method: visit.request_method,
    path: visit.request_path,
    peer: visit.client_address,
    at: getOccurredAt(visit, batch.receivedAt),
    receivedAt: batch.receivedAt,
    site,
  };
}

/** @param at Time of the visit, as in its {@link identificationRequest}. */
export function enrich(
  batch: Receipt,
  id: string,
  visit: Visit,
  at: number,
  identified: IdentifiedRequest,
): EnrichedVisit {
  return {
    id,
    project_id: batch.projectId,
    received_at: batch.receivedAtText,
    occurred_at: at === batch.receivedAt ? batch.receivedAtText : new Date(at).toISOString(),
    client_address: identified.clientAddress,
    visit,
    identification: identified.identification,
  };
}

/** Returns the client's timestamp, limited to the time of receipt because client clocks can be ahead. */
function getOccurredAt({ created }: Visit, receivedAt: number): number {
  const clientTime = typeof created === 'string' ? parseTimestamp(created) : null;
  return Math.min(clientTime ?? receivedAt, receivedAt);
}
