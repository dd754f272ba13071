import { MAX_CHANGE_SAMPLES, MAX_CHANGES, type EnrichedVisit, type ReidentificationReport } from '#libs/contracts';
import type { VerificationStep } from '#libs/agents';

type Change = ReidentificationReport['changes'][number];

export const emptyReport = (): ReidentificationReport => ({
  looked_at: 0,
  changed: 0,
  changes: [],
  other_changes: 0,
  kept_steps: { http_message_signature: 0, ip_range: 0, reverse_dns: 0 },
  by_user_agent: 0,
  past_retention: 0,
});

export interface ChangedVisit {
  before: EnrichedVisit;
  after: EnrichedVisit;
}

/** Results for a batch of visits. */
export interface LookedAt {
  visits: number;
  keptMethods: readonly VerificationStep['method'][];
  byUserAgent: number;
  pastRetention: number;
  changed: readonly ChangedVisit[];
}

/** Returns the report with the results of another batch added. */
export function withVisits(report: ReidentificationReport, seen: LookedAt): ReidentificationReport {
  const keptSteps = { ...report.kept_steps };
  for (const method of seen.keptMethods) keptSteps[method] += 1;
  const changes = new Map(report.changes.map((change) => [keyOf(change), { ...change }]));
  let others = report.other_changes;
  for (const changed of seen.changed) {
    const change = changeOf(changed);
    const known = changes.get(keyOf(change));
    if (known !== undefined) add(known, change);
    else if (changes.size < MAX_CHANGES) changes.set(keyOf(change), change);
    else others += 1;
  }
  return {
    looked_at: report.looked_at + seen.visits,
    changed: report.changed + seen.changed.length,
    changes: [...changes].toSorted(mostVisitsFirst).map(([, change]) => change),
    other_changes: others,
    kept_steps: keptSteps,
    by_user_agent: report.by_user_agent + seen.byUserAgent,
    past_retention: report.past_retention + seen.pastRetention,
  };
}

/** Breaks ties by key, so a report doesn't depend on how its visits were divided into batches. */
const mostVisitsFirst = ([key, { visits }]: [string, Change], [otherKey, other]: [string, Change]): number =>
  other.visits - visits || (key < otherKey ? -1 : 1);

/** Lists the members explicitly: `jsonb` doesn't preserve their order. */
const keyOf = ({ from, to }: Change): string =>
  JSON.stringify(
    [from, to].map(({ agent_token: token, agent_type_name: type, result, reason, robots, automation, assistant }) => [
      token,
      type,
      result,
      reason,
      robots,
      automation,
      assistant,
    ]),
  );

function changeOf({ before, after }: ChangedVisit): Change {
  const { id, occurred_at: at } = before;
  return { from: verdictOf(before), to: verdictOf(after), visits: 1, first_at: at, last_at: at, visit_ids: [id] };
}

function verdictOf({ identification, robots, automation, referral }: EnrichedVisit): Change['from'] {
  const { agent_token, agent_type_name, result, reason } = identification;
  return {
    agent_token,
    agent_type_name,
    result,
    reason,
    robots: robots?.verdict ?? null,
    automation: automation?.verdict ?? null,
    assistant: referral?.assistant ?? null,
  };
}

function add(change: Change, { first_at: at, visit_ids: ids }: Change): void {
  change.visits += 1;
  if (at < change.first_at) change.first_at = at;
  if (at > change.last_at) change.last_at = at;
  if (change.visit_ids.length < MAX_CHANGE_SAMPLES) change.visit_ids = [...change.visit_ids, ...ids];
}
