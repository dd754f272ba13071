import { isDeepStrictEqual } from 'node:util';
import type { Identification, VerificationStep } from '#libs/agents';
import type { EnrichedIdentification, EnrichedVisit } from '#libs/contracts';
import { reduce, type Insights, type InsightsRequest, type ProjectSettings } from '#libs/enrichment';
import type { Identified, IdentificationRequest } from '#libs/evidence';

type Judgment = NonNullable<EnrichedVisit['reidentified']>['earlier'];

/**
 * Fields by which identifications are compared. Excludes the evidence and the catalog version, which change all the
 * time.
 */
const VERDICT = [
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
  VERDICT.every((name) => one[name] === other[name]);

const isSame = (one: Judgment, other: Judgment): boolean =>
  isSameIdentification(one.identification, other.identification) &&
  isDeepStrictEqual(insightsOf(one), insightsOf(other));

/** Returns the insights in the order in which enrichment writes them. */
const insightsOf = ({ robots, automation, referral }: Insights): Insights => ({
  ...(robots && { robots }),
  ...(automation && { automation }),
  ...(referral && { referral }),
});

const judgmentOf = (visit: Judgment): Judgment => ({ identification: visit.identification, ...insightsOf(visit) });

/** Returns the judgment from when the visit was received. */
const firstOf = (stored: EnrichedVisit): Judgment => stored.reidentified?.earlier ?? judgmentOf(stored);

/**
 * Returns the identification request of a stored visit. Uses the client address found at the time, because the proxies
 * of that time are unknown.
 */
export function storedRequest(stored: EnrichedVisit, site: ProjectSettings): IdentificationRequest {
  const { visit, identification, received_at: received } = stored;
  const isReduced = stored.kept_as === 'reduced';
  const first = firstOf(stored).identification;
  // While the agent was missing from the catalog, no evidence about it was collected.
  const isForgotten = identification.agent_id === null && first.agent_id !== null;
  const known = isForgotten ? first : identification;
  const {
    client_address_source: source,
    client_address_reason: reason,
    client_address_note: note,
    steps,
  } = evidenceOf(known);
  return {
    // A signature can't be verified if it covers headers that weren't kept.
    headers: isReduced ? withoutSignature(visit.request_headers) : visit.request_headers,
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
        agentId: known.agent_id,
        at: isForgotten ? received : (stored.reidentified?.at ?? received),
        steps: steps ?? [],
      },
    },
  };
}

/** Returns the evidence of a stored visit. Earlier releases stored less of it. */
const evidenceOf = ({ evidence }: EnrichedIdentification) => evidence as Partial<Identification['evidence']>;

const withoutSignature = (headers: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.toLowerCase().startsWith('signature')));

export const insightsRequest = (
  { project_id: projectId, visit, client_address: clientAddress, occurred_at: at }: EnrichedVisit,
  { identification }: Identified,
  project: ProjectSettings,
): InsightsRequest => ({
  projectId,
  project,
  agentId: identification.agent_id,
  visit,
  clientAddress,
  at: Date.parse(at),
});

/** Returns the methods whose checks can't be repeated. Their earlier results are kept. */
export const keptMethods = ({ identification }: Identified): VerificationStep['method'][] => [
  ...new Set(identification.evidence.steps.filter((step) => step.judged_at !== undefined).map(({ method }) => method)),
];

/**
 * Returns a stored visit with its new judgment, and its first one if they differ. Returns null if nothing changed.
 *
 * @param insights Insights derived from the stored visit.
 * @param project Project whose settings determine how much is kept if the visitor is now unknown.
 */
export function identifiedAgain(
  stored: EnrichedVisit,
  { identification }: Identified,
  insights: Insights,
  { now, project }: { now: number; project: ProjectSettings },
): EnrichedVisit | null {
  const judgment: Judgment = { identification, ...whatCounts(insights, stored, identification.agent_id) };
  if (isSame(stored, judgment)) return null;
  const first = firstOf(stored);
  const { id, project_id, received_at, occurred_at, client_address, visit, kept_as } = stored;
  const rest = { id, project_id, received_at, occurred_at, client_address, visit };
  const kept = kept_as !== undefined && { kept_as };
  const again: EnrichedVisit = isSame(first, judgment)
    ? { ...rest, ...first, ...kept }
    : { ...rest, ...judgment, ...kept, reidentified: { at: new Date(now).toISOString(), earlier: first } };
  const wasAgent = stored.identification.agent_id !== null;
  return wasAgent && identification.agent_id === null ? reduce(again, project.unknownVisitors) : again;
}

/** Returns the new insights, completed with earlier ones where less is known today. */
function whatCounts(insights: Insights, stored: EnrichedVisit, agentId: string | null): Insights {
  const first = firstOf(stored);
  const then = [stored, first].find(({ identification }) => identification.agent_id === agentId);
  if (then === undefined) return insights;
  if (agentId !== null) {
    // Versions of robots.txt are deleted along with the visits of their time.
    const isForgotten = insights.robots?.version === null && insights.robots.verdict === 'unknown';
    return isForgotten ? insightsOf({ ...insights, ...insightsOf(then) }) : insights;
  }
  // Most headers weren't kept, so the earlier insights count. Only the referral can still be found, in the path.
  const isReduced = stored.kept_as === 'reduced';
  return isReduced
    ? insightsOf({ ...insights, ...insightsOf(then), ...insightsOf({ referral: insights.referral }) })
    : insights;
}
