import { clientAddress, identify, normalizeHeaders } from '#libs/agents';
import type { CompiledCatalogue } from '#libs/catalogue';
import { parseTimestamp, visitId, type EnrichedVisit, type Visit } from '#libs/contracts';
import type { ProjectSettings } from '../project-settings.repository.js';
import type { ReceivedBatch } from './read-batch.step.js';

/** Says when the visit occurred, where it came from and who it was. */
export function enrich(
  batch: ReceivedBatch,
  index: number,
  visit: Visit,
  settings: ProjectSettings,
  catalogue: CompiledCatalogue,
): EnrichedVisit {
  const headers = normalizeHeaders(visit.request_headers);
  const address = clientAddress(headers, settings.trustedProxies, catalogue.proxyRanges);
  return {
    id: visitId(batch.id, index),
    project_id: batch.projectId,
    received_at: new Date(batch.receivedAt).toISOString(),
    occurred_at: new Date(occurredAt(visit, batch.receivedAt)).toISOString(),
    client_address: address.address,
    visit,
    identification: identify(headers, { catalogue, clientAddress: address }),
  };
}

/** The client's clock is believed about the past only: a visit never occurs after its receipt. */
function occurredAt({ created }: Visit, receivedAt: number): number {
  const claimed = typeof created === 'string' ? parseTimestamp(created) : null;
  return Math.min(claimed ?? receivedAt, receivedAt);
}
