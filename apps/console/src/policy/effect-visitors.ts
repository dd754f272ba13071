import { getHeader, MAX_EFFECT_EXAMPLES, type PolicyEffect, type PolicyOutcome } from '#libs/contracts';
import { parseDecisions, type RecordedDecision } from '#libs/policy';
import { BROWSER_HEADERS, toIdentity, type ActedVisit, type NextVisit } from '#libs/visit-store';
import { toRetryWindow } from '../conduct/retry-windows.js';

type CameBack = PolicyEffect['came_back'];
type PersonVisit = PolicyEffect['people']['examples'][number];

/** Outcomes whose response asks the visitor to wait, pay or stay away. Redirected visitors are expected to come back. */
export const TURNED_AWAY: readonly PolicyOutcome[] = ['slowed', 'charged', 'refused'];
const MAX_RETURN_EXAMPLES = 3;

/** Visit that a live rule slowed, charged or refused. */
export interface RefusedVisit {
  id: string;
  /** Milliseconds since the epoch. */
  at: number;
  agentId: string | null;
  isSpoofed: boolean;
  /** See `toIdentity`. */
  identity: string;
  address: string | null;
  operator: string | null;
  /** End of the time in `Retry-After`, in milliseconds since the epoch, or null if it wasn't reported. */
  retryAt: number | null;
}

/** Visits of one identity. */
export interface RefusedVisitor extends Pick<RefusedVisit, 'agentId' | 'isSpoofed' | 'identity'> {
  cameBack: CameBack;
  /** IDs of the requests with which it came back soonest. */
  visitIds: string[];
}

/** Returns the decisions of the rules that changed the response, or would have. */
const findActions = ({ decisions }: ActedVisit, ruleIds: ReadonlySet<string>): RecordedDecision[] =>
  parseDecisions(decisions).filter(({ ruleId, outcome }) => ruleIds.has(ruleId) && outcome !== 'allowed');

export function toRefusedVisit(visit: ActedVisit, ruleIds: ReadonlySet<string>): RefusedVisit | null {
  const isRefused = findActions(visit, ruleIds).some(
    ({ mode, outcome }) => mode === 'live' && TURNED_AWAY.includes(outcome),
  );
  if (!isRefused) return null;
  const { id, occurred_at: at, agent_id: agentId, operator, client_address: address } = visit;
  const isSpoofed = visit.result === 'verification_failed';
  const retryAt = toRetryWindow({ ...visit, duration_ms: null })?.end ?? null;
  return { id, at, agentId, isSpoofed, identity: toIdentity(agentId, isSpoofed), address, operator, retryAt };
}

/** Groups visits by identity, and describes when each identity came back. The most frequent one comes first. */
export function groupByVisitor(visits: readonly RefusedVisit[], next: readonly NextVisit[]): RefusedVisitor[] {
  const nextById = new Map(next.map((visit) => [visit.id, visit]));
  return [...Map.groupBy(visits, ({ identity }) => identity)]
    .map(([identity, own]) => ({
      agentId: own[0]!.agentId,
      isSpoofed: own[0]!.isSpoofed,
      identity,
      cameBack: describeReturns(own, nextById),
      visitIds: own
        .flatMap(({ id, at }) => {
          const following = nextById.get(id);
          return following === undefined ? [] : [{ id: following.next_id, delay: following.next_at - at }];
        })
        .toSorted((one, other) => one.delay - other.delay)
        .slice(0, MAX_RETURN_EXAMPLES)
        .map(({ id }) => id),
    }))
    .toSorted((one, other) => other.cameBack.requests - one.cameBack.requests);
}

/** Counts requests by what the visitor did next. */
export function describeReturns(visits: readonly RefusedVisit[], nextById: ReadonlyMap<string, NextVisit>): CameBack {
  const counts = { inside_retry_after: 0, after_retry_after: 0, without_retry_after: 0, not_again: 0 };
  const delays: number[] = [];
  for (const { id, at, retryAt } of visits) {
    const next = nextById.get(id);
    if (next === undefined) {
      counts.not_again += 1;
      continue;
    }
    delays.push((next.next_at - at) / 1_000);
    if (retryAt === null) counts.without_retry_after += 1;
    else if (next.next_at < retryAt) counts.inside_retry_after += 1;
    else counts.after_retry_after += 1;
  }
  const sorted = delays.toSorted((one, other) => one - other);
  return { requests: visits.length, ...counts, median_seconds: sorted[Math.floor((sorted.length - 1) / 2)] ?? null };
}

/** Returns the visits that may be by people: unknown visitors with the headers that browsers send. */
export function findPeople(visits: readonly ActedVisit[], ruleIds: ReadonlySet<string>): PolicyEffect['people'] {
  const people = visits.filter(isPossiblePerson);
  return {
    visits: people.length,
    examples: people.slice(0, MAX_EFFECT_EXAMPLES).map((visit): PersonVisit => {
      const [{ mode, outcome }] = findActions(visit, ruleIds) as [RecordedDecision];
      return {
        visit_id: visit.id,
        occurred_at: new Date(visit.occurred_at).toISOString(),
        path: visit.path,
        mode,
        outcome,
      };
    }),
  };
}

const isPossiblePerson = ({ agent_id: agentId, request_headers: headers }: ActedVisit): boolean =>
  agentId === null && hasBrowserHeaders(headers);

/** Returns true if a request has all headers that browsers send. */
export const hasBrowserHeaders = (headers: Parameters<typeof getHeader>[0]): boolean =>
  BROWSER_HEADERS.every((name) => getHeader(headers, name)) &&
  getHeader(headers, 'user-agent')!.startsWith('Mozilla/5.0 (');
