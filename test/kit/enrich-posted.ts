import { AutomationJudge } from '#libs/agents';
import { ENRICHED_VISITS, enrichedKey, receivedVisitId, type EncodedMessage } from '#libs/bus';
import { newBatchId, timeOfId } from '#libs/contracts';
import { enrich, identificationRequest } from '../../apps/enrichment/src/steps/enrich.step.js';
import { bundledIdentifier } from './identifier.js';
import { receivedVisits } from './received.js';

const projectId = '019a0000-0000-7000-8000-000000000000';

const automation = new AutomationJudge();

/** Returns the messages that enrichment publishes for posted visits. */
export function enrichPosted(posted: object[], identifier = bundledIdentifier()): EncodedMessage[] {
  const received = receivedVisits({ id: newBatchId(), projectId }, posted);
  const { batchId, traceparent } = received;
  const receivedAt = timeOfId(batchId);
  const receipt = { projectId, receivedAt, receivedAtText: new Date(receivedAt).toISOString() };
  return received.visits.map((posted, position) => {
    const answer = identifier.identifyImmediately(
      identificationRequest(posted, receipt, { trustedProxies: {}, hostNames: [] }),
    );
    const enriched = enrich(receipt, receivedVisitId(received, position), posted, answer!);
    const judged = { headers: posted.request_headers, path: posted.request_path, at: Date.parse(enriched.occurred_at) };
    const isUnknown = enriched.identification.agent_id === null;
    const visit = { ...enriched, ...(isUnknown && { automation: automation.judge(judged) }) };
    return ENRICHED_VISITS.encode({ visit, key: enrichedKey(visit, batchId), traceparent, bytes: 0 });
  });
}
