import type { SiteSettings } from '#libs/catalog';
import { parseTimestamp, type EnrichedVisit, type Visit } from '#libs/contracts';
import type { IdentificationRequest, Identified } from '#libs/evidence';

/** The request of a visit, with the time when it occurred. */
type VisitRequest = IdentificationRequest & { at: number };

/** Receipt of the visits of a request. */
export interface Receipt {
  projectId: string;
  /** Milliseconds since the epoch. */
  receivedAt: number;
  /** Time as RFC 3339. */
  receivedAtText: string;
}

/** Returns the request of a visit, to be identified. */
export function identificationRequest(visit: Visit, batch: Receipt, site: SiteSettings): VisitRequest {
  return {
    headers: visit.request_headers,
    method: visit.request_method,
    path: visit.request_path,
    peer: visit.client_address,
    at: occurredAt(visit, batch.receivedAt),
    receivedAt: batch.receivedAt,
    site,
  };
}

/** Says when the visit occurred, where it came from and who it was. */
export function enrich(batch: Receipt, id: string, visit: Visit, identified: Identified): EnrichedVisit {
  const at = occurredAt(visit, batch.receivedAt);
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

/** The client's clock is believed about the past only: a visit never occurs after its receipt. */
function occurredAt({ created }: Visit, receivedAt: number): number {
  const claimed = typeof created === 'string' ? parseTimestamp(created) : null;
  return Math.min(claimed ?? receivedAt, receivedAt);
}
