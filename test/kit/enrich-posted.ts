import { AutomationJudge } from '#libs/agents';
import type { BusMessage } from '#libs/bus';
import { newBatchId, type EnrichedVisit } from '#libs/contracts';
import { enrichedMessage } from '../../apps/enrichment/src/steps/enriched-message.step.js';
import { enrich, identificationRequest } from '../../apps/enrichment/src/steps/enrich.step.js';
import { readBatch } from '../../apps/enrichment/src/steps/read-batch.step.js';
import { receivedMessage } from '../../apps/gateway/src/visits/received-message.js';
import { bundledIdentifier } from './identifier.js';

const projectId = '019a0000-0000-7000-8000-000000000000';

const automation = new AutomationJudge();

/** What the gateway and enrichment make of posted visits. */
export function enrichPosted(posted: object[], identifier = bundledIdentifier()): BusMessage[] {
  const received = receivedMessage(
    { id: newBatchId(), projectId, traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' },
    Buffer.from(JSON.stringify(posted)),
  );
  const result = readBatch({ ...received, partition: 0, offset: '0' });
  if (!result.ok) throw new Error(result.outcome.detail);
  const batch = result.value;
  return batch.items.map(({ id, item }) => {
    const visit = item as EnrichedVisit['visit'];
    const answer = identifier.identifyImmediately(
      identificationRequest(visit, batch, { trustedProxies: {}, hostNames: [] }),
    );
    const enriched = enrich(batch, id, visit, answer!);
    const judged = { headers: visit.request_headers, path: visit.request_path, at: Date.parse(enriched.occurred_at) };
    const isUnknown = enriched.identification.agent_id === null;
    return enrichedMessage({ ...enriched, ...(isUnknown && { automation: automation.judge(judged) }) }, batch);
  });
}
