import type { PolicyEffect } from '../api/policy-effect.js';
import { toFilters } from '../filters/visit-filters.js';
import { listLink } from '../range/list-link.js';
import { OUTCOME_LABELS, OUTCOMES, type Outcome } from './rule-text.js';

type Counts = PolicyEffect['live'];
type Mode = 'live' | 'dry_run';

const COLORS: Record<Outcome, string> = {
  refused: 'var(--bar-failed)',
  charged: 'var(--kind-6)',
  slowed: 'var(--bar-open)',
  redirected: 'var(--kind-9)',
  allowed: 'var(--bar-verified)',
};

/** Chart series for the outcomes, from the most to the least restrictive one. */
export const OUTCOME_SERIES = OUTCOMES.toReversed()
  .toSorted((one, other) => Object.keys(COLORS).indexOf(one) - Object.keys(COLORS).indexOf(other))
  .map((key) => ({ key, label: OUTCOME_LABELS[key], color: COLORS[key] }));

export const countChecked = (counts: Counts): number => OUTCOMES.reduce((sum, outcome) => sum + counts[outcome], 0);

/** Counts the requests that the rule acted on. */
export const countActed = (counts: Counts): number => countChecked(counts) - counts.allowed;

/** Returns the mode whose requests the page shows: live if there are any. */
export const getShownMode = ({ live }: PolicyEffect): Mode => (countChecked(live) > 0 ? 'live' : 'dry_run');

const list = new Intl.ListFormat('en-US', { type: 'disjunction' });

/** Describes what rules did, as in "blocked" or "slowed or asked to pay". */
export const describeOutcomes = (counts: Counts): string =>
  list.format(
    OUTCOMES.filter((outcome) => outcome !== 'allowed' && counts[outcome] > 0).map((outcome) =>
      OUTCOME_LABELS[outcome].toLowerCase(),
    ),
  );

/** Outcomes of the requests whose visitors the page follows. */
export const TURNED_AWAY = ['slowed', 'charged', 'refused'] as const satisfies readonly Outcome[];

/** Returns the label of the requests in `TURNED_AWAY`. */
export function labelTurnedAway({ live }: PolicyEffect): string {
  const [outcome, ...others] = TURNED_AWAY.filter((one) => live[one] > 0);
  return outcome === undefined || others.length > 0 ? 'Turned away' : OUTCOME_LABELS[outcome];
}

/** Returns a function that links to visits with the outcomes. @param agent Only visits of this agent. */
export const outcomeLink =
  (projectId: string, effect: PolicyEffect) =>
  (outcomes: readonly Outcome[], mode: Mode, agent: Record<string, string[]> = {}) => {
    const decision = outcomes.map((outcome) => (mode === 'live' ? outcome : (`dry_run_${outcome}` as const)));
    return listLink(projectId, effect)(toFilters({ rule: effect.rule_ids, decision, ...agent }));
  };
