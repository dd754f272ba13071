import { AutomationJudge } from '#libs/agents';
import { ENRICHED_VISITS, getEnrichedKey, getReceivedVisitId, type EncodedMessage } from '#libs/bus';
import { createBatchId, getTimeFromId } from '#libs/contracts';
import { enrich, identificationRequest } from '../../apps/enrichment/src/steps/enrich.step.js';
import { createBundledIdentifier } from './identifier.js';
import { createReceivedVisits } from './received-visits.js';

const projectId = '019a0000-0000-7000-8000-000000000000';

const automation = new AutomationJudge();

/** Returns the messages that enrichment publishes for the given visits. */
export function createEnrichedMessages(posted: object[], identifier = createBundledIdentifier()): EncodedMessage[] {
  const received = createReceivedVisits({ id: createBatchId(), projectId }, posted);
  const { batchId, traceparent } = received;
  const receivedAt = getTimeFromId(batchId);
  const receipt = { projectId, receivedAt, receivedAtText: new Date(receivedAt).toISOString() };
  return received.visits.map((posted, position) => {
    const request = identificationRequest(posted, receipt, { trustedProxies: {}, hostNames: [] });
    const identification = identifier.identifyImmediately(request);
    const enriched = enrich(receipt, getReceivedVisitId(received, position), posted, request.at, identification!);
    const automationInput = {
      headers: posted.request_headers,
      path: posted.request_path,
      at: Date.parse(enriched.occurred_at),
    };
    const isUnknown = enriched.identification.agent_id === null;
    const visit = { ...enriched, ...(isUnknown && { automation: automation.judge(automationInput) }) };
    return ENRICHED_VISITS.encode({ visit, key: getEnrichedKey(visit, batchId), traceparent, bytes: 0 });
  });
}
