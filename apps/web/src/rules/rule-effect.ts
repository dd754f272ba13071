import type { PolicyRule } from '../api/policy.js';
import type { OutcomeCounts, PolicyForecast } from '../api/policy-forecast.js';
import { formatCount } from '../format/count.js';
import { formatTime } from '../format/time.js';
import { countActed, countChecked } from './outcomes.js';
import { OUTCOMES } from './rule-text.js';

type Forecast = PolicyForecast['rules'][number];
type Recorded = NonNullable<Forecast['recorded']>;
type AffectedAgent = Forecast['agents'][number];

/** Effect of a rule and its exceptions on the replayed requests. */
export interface RuleEffect {
  outcomes: OutcomeCounts;
  /** Requests that the rule affects. */
  acted: number;
  /** Requests that match, including exempt ones. */
  matching: number;
  /** Requests for robots.txt and the like, which rules never affect. */
  exempt: number;
  /** Affected requests by agent and result, most first. */
  agents: readonly AffectedAgent[];
  referralsAtRisk: number;
  /** Affected requests that may be by people. */
  people: number;
  /** Networks with the most affected requests. */
  networks: Forecast['networks'];
  /** Requests that the rule acted on when they arrived. Null if they can't be compared. */
  recorded: Recorded | null;
  /** Time of the oldest version with the rule, or null. */
  since: string | null;
  examples: Forecast['examples'];
}

/** Sums the effects of a rule and its exceptions. */
export function sumEffect({ rules }: Pick<PolicyForecast, 'rules'>, { id, exceptions = [] }: PolicyRule): RuleEffect {
  const ids = new Set([id, ...exceptions.map((exception) => exception.id)]);
  const parts = rules.filter(({ rule_id: ruleId }) => ids.has(ruleId));
  const outcomes = Object.fromEntries(
    OUTCOMES.map((outcome) => [outcome, parts.reduce((sum, part) => sum + part.outcomes[outcome], 0)]),
  ) as OutcomeCounts;
  const exempt = parts.reduce((sum, part) => sum + part.exempt, 0);
  return {
    outcomes,
    acted: countActed(outcomes),
    matching: countChecked(outcomes) + exempt,
    exempt,
    agents: parts.flatMap((part) => part.agents).toSorted((one, other) => other.visits - one.visits),
    referralsAtRisk: Math.max(0, ...parts.map((part) => part.referrals_at_risk)),
    people: parts.reduce((sum, part) => sum + part.people, 0),
    networks: sumNetworks(parts),
    // A rule that matched nothing, now or on arrival, isn't listed.
    recorded: parts.reduce<Recorded | null>(
      (sum, { recorded }) =>
        sum && recorded && { live: sum.live + recorded.live, dry_run: sum.dry_run + recorded.dry_run },
      parts.length === 0 ? null : { live: 0, dry_run: 0 },
    ),
    since: parts.find((part) => part.rule_id === id)?.since ?? parts[0]?.since ?? null,
    examples: parts.flatMap(({ examples }) => examples),
  };
}

function sumNetworks(parts: readonly Forecast[]): Forecast['networks'] {
  const sums = new Map<string, number>();
  for (const { network, visits } of parts.flatMap(({ networks }) => networks))
    sums.set(network, (sums.get(network) ?? 0) + visits);
  return [...sums]
    .map(([network, visits]) => ({ network, visits }))
    .toSorted((one, other) => other.visits - one.visits);
}

interface Comparison {
  /** Start of the compared period. */
  from: string;
  /** Time at which the current policy was published, or null. */
  changedAt: string | null;
  timeZone: string;
}

/**
 * Compares the requests that a rule acted on when they arrived with a replay of the same period, as in "163 when they
 * arrived, 628 with current data." Returns null if they're the same or can't be compared.
 */
export function compareRecorded(
  { acted, recorded, since }: Pick<RuleEffect, 'acted' | 'recorded' | 'since'>,
  { visitors, action }: Pick<PolicyRule, 'visitors' | 'action'>,
  { from, changedAt, timeZone }: Comparison,
): string | null {
  if (recorded === null) return null;
  const { live, dry_run: dryRun } = recorded;
  const arrived = live + dryRun;
  if (arrived === acted) return null;
  const toDay = (time: string): string => formatTime(time, timeZone, { month: 'short', day: 'numeric' });
  const isAfter = (time: string | null): time is string => time !== null && Date.parse(time) > Date.parse(from);
  const isMore = acted > arrived;
  const reason =
    isMore && isAfter(since)
      ? `The rule has only existed since ${toDay(since)}.`
      : isMore && visitors?.results !== undefined
        ? 'Some visitors were only exposed later, for example by newer address lists.'
        : isAfter(changedAt)
          ? `Your rules changed on ${toDay(changedAt)}.`
          : action.kind === 'slow_down'
            ? 'Limits depend on which requests arrive within the same minute.'
            : '';
  const tried = live > 0 && dryRun > 0 ? ` (${formatCount(dryRun)} of them in a dry run)` : '';
  return `${formatCount(arrived)} when they arrived${tried}, ${formatCount(acted)} with current data. ${reason}`.trim();
}

/**
 * Returns rules whose forecast shows only the effect of one of them: those that take precedence match the same requests,
 * but let them through.
 */
export function isolateRule(rules: readonly PolicyRule[], rule: PolicyRule): PolicyRule[] {
  const earlier = rules
    .slice(
      0,
      Math.max(
        0,
        rules.findIndex(({ id }) => id === rule.id),
      ),
    )
    // Live rules decide even if a rule in dry run comes first.
    .filter(({ mode }) => mode === 'live' || (mode === 'dry_run' && rule.mode === 'dry_run'));
  return [
    ...earlier.map(({ exceptions: _exceptions, ...one }): PolicyRule => ({
      ...one,
      mode: 'live',
      action: { kind: 'allow' },
    })),
    { ...rule, mode: 'live' },
  ];
}

/** Describes the matching requests that aren't affected, as in "The other 23 asked for exempt files." */
export function describeOthers({ outcomes: { allowed }, acted, exempt }: RuleEffect): string {
  if (acted === 0 || allowed + exempt === 0) return '';
  const exemptText = 'asked for exempt files, such as robots.txt';
  if (allowed === 0) return `The other ${exempt === 1 ? 'one' : formatCount(exempt)} ${exemptText}.`;
  const others = allowed === 1 ? 'The other one' : `The other ${formatCount(allowed)}`;
  return `${others} would have been let through${exempt > 0 ? `, and ${formatCount(exempt)} more ${exemptText}` : ''}.`;
}

/** Counts the affected requests by result. Returns null if some aren't listed. */
export function countResults({ acted, agents }: RuleEffect): Record<AffectedAgent['result'], number> | null {
  const counts = { verified: 0, verification_failed: 0, not_verifiable: 0, unknown_agent: 0 };
  for (const { result, visits } of agents) counts[result] += visits;
  return Object.values(counts).reduce((sum, count) => sum + count, 0) === acted ? counts : null;
}

const RESULT_TEXTS = {
  verified: 'from verified agents',
  verification_failed: 'from impostors',
  not_verifiable: 'from agents that can’t be verified',
  unknown_agent: 'from unknown visitors',
} as const;

const list = new Intl.ListFormat('en-US');

/** Returns the number of affected requests by verified agents, or null if some agents aren't listed. */
export const countVerified = (effect: RuleEffect): number | null => countResults(effect)?.verified ?? null;

/** States that a rule affects neither verified agents nor likely people, or how many of their requests it affects. */
export function describeBystanders(effect: RuleEffect): string {
  const verified = countVerified(effect);
  if (effect.acted === 0 || verified === null) return '';
  if (verified + effect.people === 0) return 'No verified agents or likely people are affected.';
  return `Also affected: ${formatCount(verified)} ${verified === 1 ? 'request' : 'requests'} by verified agents and ${formatCount(effect.people)} by likely people.`;
}

/** Describes whose requests are affected, as in "220 are from impostors. No verified agent is affected." */
export function describeAffected(effect: RuleEffect): string {
  const counts = countResults(effect);
  if (counts === null || effect.acted === 0) return '';
  const parts = Object.entries(RESULT_TEXTS).flatMap(([result, text]) => {
    const count = counts[result as AffectedAgent['result']];
    return count === 0 ? [] : [{ count, text }];
  });
  const texts =
    parts.length === 1
      ? [`All are ${parts[0]!.text}`]
      : parts.map(({ count, text }, index) => `${formatCount(count)}${index === 0 ? ' are' : ''} ${text}`);
  return `${list.format(texts)}. ${counts.verified === 0 ? 'No verified agent is affected.' : ''}`.trim();
}
