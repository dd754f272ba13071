import { isDeepStrictEqual } from 'node:util';
import type { Identification, VerificationStep } from '#libs/agents';
import type { EnrichedIdentification, EnrichedVisit } from '#libs/contracts';
import { reduce, type Insights, type InsightsRequest, type ProjectSettings } from '#libs/enrichment';
import type { Identified, IdentificationRequest } from '#libs/evidence';

/** What is judged of a visit: who it was, and what it means. */
type Judgment = NonNullable<EnrichedVisit['reidentified']>['earlier'];

/** What two identifications are compared by. Evidence and the catalog's version differ all the time. */
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

/** In the order in which enrichment writes them. */
const insightsOf = ({ robots, automation, referral }: Insights): Insights => ({
  ...(robots && { robots }),
  ...(automation && { automation }),
  ...(referral && { referral }),
});

const judgmentOf = (visit: Judgment): Judgment => ({ identification: visit.identification, ...insightsOf(visit) });

/** As it was judged when it was received. */
const firstOf = (stored: EnrichedVisit): Judgment => stored.reidentified?.earlier ?? judgmentOf(stored);

/** Returns the request of a stored visit. Its address is the one that was believed: proxies of then are not known. */
export function storedRequest(stored: EnrichedVisit, site: ProjectSettings): IdentificationRequest {
  const { visit, identification, received_at: received } = stored;
  const isReduced = stored.kept_as === 'reduced';
  const first = firstOf(stored).identification;
  // While its agent was not in the catalog, nothing was found out about it.
  const isForgotten = identification.agent_id === null && first.agent_id !== null;
  const known = isForgotten ? first : identification;
  const {
    client_address_source: source,
    client_address_reason: reason,
    client_address_note: note,
    steps,
  } = evidenceOf(known);
  return {
    // A signature may cover headers that were not kept.
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

/** Returns what is to be judged of a stored visit that was identified again. */
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

/** Returns the methods whose checks cannot be made again: what was found out before counts. */
export const keptMethods = ({ identification }: Identified): VerificationStep['method'][] => [
  ...new Set(identification.evidence.steps.filter((step) => step.judged_at !== undefined).map(({ method }) => method)),
];

/**
 * Returns a stored visit as it is judged now, with its first judgment beside it; `null` where nothing changed.
 *
 * @param insights of what is stored of it.
 * @param project says what is kept of unknown visitors, in case it is one now.
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

/** Returns the insights that count: those of then where less is known today. */
function whatCounts(insights: Insights, stored: EnrichedVisit, agentId: string | null): Insights {
  const first = firstOf(stored);
  const then = [stored, first].find(({ identification }) => identification.agent_id === agentId);
  if (then === undefined) return insights;
  if (agentId !== null) {
    // Versions are deleted with the visits of their time.
    const isForgotten = insights.robots?.version === null && insights.robots.verdict === 'unknown';
    return isForgotten ? insightsOf({ ...insights, ...insightsOf(then) }) : insights;
  }
  // Most headers are gone, and with them what they said; what the path says is known still.
  const isReduced = stored.kept_as === 'reduced';
  return isReduced
    ? insightsOf({ ...insights, ...insightsOf(then), ...insightsOf({ referral: insights.referral }) })
    : insights;
}
