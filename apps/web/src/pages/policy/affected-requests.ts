import type { RuleCount } from '../../api/policy.js';
import { OUTCOMES, type Outcome } from '../../rules/rule-text.js';

/** Label and color of each outcome, and its label in dry run. */
const RESPONSES: Record<Exclude<Outcome, 'allowed'>, { response: string; label: string; dryRun: string }> = {
  slowed: { response: 'slow_down', label: 'Slowed', dryRun: 'Slow down (dry run)' },
  redirected: { response: 'redirect', label: 'Redirected', dryRun: 'Redirect (dry run)' },
  charged: { response: 'charge', label: 'Asked to pay', dryRun: 'Ask to pay (dry run)' },
  refused: { response: 'refuse', label: 'Blocked', dryRun: 'Block (dry run)' },
};

interface Part {
  label: string;
  response: string;
  isDryRun: boolean;
  requests: number;
}

/** Sums the requests that rules affected by outcome: live ones first. */
export const sumAffected = (counts: readonly RuleCount[]): Part[] =>
  (['live', 'dry_run'] as const).flatMap((mode) =>
    OUTCOMES.toReversed().flatMap((outcome) => {
      if (outcome === 'allowed') return [];
      const requests = counts
        .filter((one) => one.mode === mode && one.outcome === outcome)
        .reduce((sum, { decisions }) => sum + decisions, 0);
      const { response, label, dryRun } = RESPONSES[outcome];
      const isDryRun = mode === 'dry_run';
      return requests === 0 ? [] : { label: isDryRun ? dryRun : label, response, isDryRun, requests };
    }),
  );
