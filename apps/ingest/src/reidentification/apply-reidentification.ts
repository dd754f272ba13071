import { isDeepStrictEqual } from 'node:util';
import type { Identification, VerificationStep } from '#libs/agents';
import { TEST_AGENT_ID } from '#libs/catalog';
import type { EnrichedIdentification, EnrichedVisit } from '#libs/contracts';
import {
  getTestMarker,
  reduceVisit,
  toTestAgentHeaders,
  type Insights,
  type InsightsRequest,
  type ProjectSettings,
} from '#libs/enrichment';
import type { IdentifiedRequest, IdentificationRequest } from '#libs/evidence';

type Judgment = NonNullable<EnrichedVisit['reidentified']>['earlier'];

/** Fields by which identifications are compared. Excludes the evidence and catalog version, which change too often. */
const COMPARED_FIELDS = [
  'result',
  'agent_id',
  'agent_token',
  'agent_url',
  'agent_type_name',
  'operator_name',
  'method',
  'reason',
] as const satisfies (keyof EnrichedIdentification)[];

const isSameIdentification = (one: EnrichedIdentification, other: EnrichedIdentification): boolean =>
  COMPARED_FIELDS.every((name) => one[name] === other[name]);

const isSameJudgment = (one: Judgment, other: Judgment): boolean =>
  isSameIdentification(one.identification, other.identification) &&
  isDeepStrictEqual(pickInsights(one), pickInsights(other));

/** Picks the insights, in the order in which enrichment writes them. */
const pickInsights = ({ robots, automation, referral }: Insights): Insights => ({
  ...(robots && { robots }),
  ...(automation && { automation }),
  ...(referral && { referral }),
});

const toJudgment = (visit: Judgment): Judgment => ({ identification: visit.identification, ...pickInsights(visit) });

/** Returns the judgment made when the visit was received. */
const getOriginalJudgment = (stored: EnrichedVisit): Judgment => stored.reidentified?.earlier ?? toJudgment(stored);

/**
 * Returns the identification request for a stored visit. Reuses the stored client address, because the proxies in use
 * at the time aren't known.
 */
export function toIdentificationRequest(stored: EnrichedVisit, site: ProjectSettings): IdentificationRequest {
  const { visit, identification, received_at: received } = stored;
  const isReduced = stored.kept_as === 'reduced';
  const original = getOriginalJudgment(stored).identification;
  // If the agent was missing from the catalog at the last re-identification, no evidence about it was collected then.
  // In that case, use the original evidence.
  const isNoLongerKnown = identification.agent_id === null && original.agent_id !== null;
  const latest = isNoLongerKnown ? original : identification;
  const {
    client_address_source: source,
    client_address_reason: reason,
    client_address_note: note,
    steps,
  } = getEvidence(latest);
  // Only the console can send such visits, and only enrichment can check that it did.
  const isProof = original.agent_id === TEST_AGENT_ID && getTestMarker(visit) !== null;
  const headers = isProof ? toTestAgentHeaders(visit.request_headers) : visit.request_headers;
  return {
    // A signature can't be verified if it covers headers that weren't stored, so leave out the signature, too.
    headers: isReduced ? omitSignatureHeaders(headers) : headers,
    method: visit.request_method,
    path: visit.request_path,
    at: Date.parse(stored.occurred_at),
    receivedAt: Date.parse(received),
    site,
    earlier: {
      clientAddress: {
        address: stored.client_address,
        source: source ?? null,
        reason: reason ?? 'no_address_header',
        ...(note !== undefined && { note }),
      },
      evidence: {
        agentId: latest.agent_id,
        at: isNoLongerKnown ? received : (stored.reidentified?.at ?? received),
        steps: steps ?? [],
      },
    },
  };
}

/** Returns the stored evidence. It's incomplete if an earlier release stored it. */
const getEvidence = ({ evidence }: EnrichedIdentification) => evidence as Partial<Identification['evidence']>;

const omitSignatureHeaders = (headers: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.toLowerCase().startsWith('signature')));

export const toInsightsRequest = (
  { project_id: projectId, visit, client_address: clientAddress, occurred_at: at }: EnrichedVisit,
  { identification }: IdentifiedRequest,
  project: ProjectSettings,
): InsightsRequest => ({
  projectId,
  project,
  agentId: identification.agent_id,
  visit,
  clientAddress,
  at: Date.parse(at),
});

/** Returns the methods whose checks can't be repeated, so their earlier results are kept. */
export const getUnrepeatableMethods = ({ identification }: IdentifiedRequest): VerificationStep['method'][] => [
  ...new Set(identification.evidence.steps.filter((step) => step.judged_at !== undefined).map(({ method }) => method)),
];

/**
 * Returns a stored visit with its new judgment, or null if nothing changed. Also includes the original judgment if it
 * differs.
 *
 * @param insights Insights derived from the stored visit.
 * @param project Determines which data to keep if the visitor is now unknown.
 */
export function applyReidentification(
  stored: EnrichedVisit,
  { identification }: IdentifiedRequest,
  insights: Insights,
  { now, project }: { now: number; project: ProjectSettings },
): EnrichedVisit | null {
  const judgment: Judgment = { identification, ...mergeInsights(insights, stored, identification.agent_id) };
  if (isSameJudgment(stored, judgment)) return null;
  const original = getOriginalJudgment(stored);
  const { id, project_id, received_at, occurred_at, client_address, visit, kept_as, decisions } = stored;
  const rest = { id, project_id, received_at, occurred_at, client_address, visit, ...(decisions && { decisions }) };
  const keptAs = kept_as !== undefined && { kept_as };
  const updated: EnrichedVisit = isSameJudgment(original, judgment)
    ? { ...rest, ...original, ...keptAs }
    : { ...rest, ...judgment, ...keptAs, reidentified: { at: new Date(now).toISOString(), earlier: original } };
  const wasAgent = stored.identification.agent_id !== null;
  return wasAgent && identification.agent_id === null ? reduceVisit(updated, project.unknownVisitors) : updated;
}

/** Returns the insights. If some can no longer be derived from the available data, uses the earlier ones instead. */
function mergeInsights(insights: Insights, stored: EnrichedVisit, agentId: string | null): Insights {
  const original = getOriginalJudgment(stored);
  const earlierJudgment = [stored, original].find(({ identification }) => identification.agent_id === agentId);
  if (earlierJudgment === undefined) return insights;
  if (agentId !== null) {
    // The robots.txt version from the time of the visit may have been deleted since then, so its rules are no longer
    // known.
    const isNoLongerKnown = insights.robots?.version === null && insights.robots.verdict === 'unknown';
    return isNoLongerKnown ? pickInsights({ ...insights, ...pickInsights(earlierJudgment) }) : insights;
  }
  // If most of the visit's headers weren't stored, the earlier insights are more accurate. The exception is the
  // referral, which may be part of the path.
  const isReduced = stored.kept_as === 'reduced';
  return isReduced
    ? pickInsights({ ...insights, ...pickInsights(earlierJudgment), ...pickInsights({ referral: insights.referral }) })
    : insights;
}
