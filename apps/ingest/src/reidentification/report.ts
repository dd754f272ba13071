import { MAX_CHANGE_SAMPLES, MAX_CHANGES, type EnrichedVisit, type ReidentificationReport } from '#libs/contracts';
import type { VerificationStep } from '#libs/agents';

type Change = ReidentificationReport['changes'][number];

export const createReport = (): ReidentificationReport => ({
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

/** Results of a batch of visits. */
export interface BatchResult {
  visits: number;
  keptMethods: readonly VerificationStep['method'][];
  byUserAgent: number;
  pastRetention: number;
  changed: readonly ChangedVisit[];
}

/** Returns a copy of the report that includes another batch. */
export function addToReport(report: ReidentificationReport, batch: BatchResult): ReidentificationReport {
  const keptSteps = { ...report.kept_steps };
  for (const method of batch.keptMethods) keptSteps[method] += 1;
  const changes = new Map(report.changes.map((change) => [toKey(change), { ...change }]));
  let others = report.other_changes;
  for (const changed of batch.changed) {
    const change = toChange(changed);
    const existing = changes.get(toKey(change));
    if (existing !== undefined) addToChange(existing, change);
    else if (changes.size < MAX_CHANGES) changes.set(toKey(change), change);
    else others += 1;
  }
  return {
    looked_at: report.looked_at + batch.visits,
    changed: report.changed + batch.changed.length,
    changes: [...changes].toSorted(mostVisitsFirst).map(([, change]) => change),
    other_changes: others,
    kept_steps: keptSteps,
    by_user_agent: report.by_user_agent + batch.byUserAgent,
    past_retention: report.past_retention + batch.pastRetention,
  };
}

/** Breaks ties by key. Otherwise, a report would depend on how its visits were divided into batches. */
const mostVisitsFirst = ([key, { visits }]: [string, Change], [otherKey, other]: [string, Change]): number =>
  other.visits - visits || (key < otherKey ? -1 : 1);

/** Lists the fields explicitly, because `jsonb` doesn't preserve their order. */
const toKey = ({ from, to }: Change): string =>
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

function toChange({ before, after }: ChangedVisit): Change {
  const { id, occurred_at: at } = before;
  return { from: toVerdict(before), to: toVerdict(after), visits: 1, first_at: at, last_at: at, visit_ids: [id] };
}

function toVerdict({ identification, robots, automation, referral }: EnrichedVisit): Change['from'] {
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

function addToChange(change: Change, { first_at: at, visit_ids: ids }: Change): void {
  change.visits += 1;
  if (at < change.first_at) change.first_at = at;
  if (at > change.last_at) change.last_at = at;
  if (change.visit_ids.length < MAX_CHANGE_SAMPLES) change.visit_ids = [...change.visit_ids, ...ids];
}
