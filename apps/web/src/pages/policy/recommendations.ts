import type { PolicyRule } from '../../api/policy.js';
import type { PolicyForecast } from '../../api/policy-forecast.js';
import { formatCount } from '../../format/count.js';
import { describeOutcomes } from '../../rules/outcomes.js';
import { countResults, sumEffect, type RuleEffect } from '../../rules/rule-effect.js';

/** Recommended action for a rule in dry run. */
export interface Recommendation {
  rule: PolicyRule;
  action: 'go live' | 'keep watching';
  /** Complete sentences. */
  reason: string;
}

/** Recommends which rules in dry run to put live. Rules to put live come first. */
export const recommend = (rules: readonly PolicyRule[], forecast: Pick<PolicyForecast, 'rules'>): Recommendation[] =>
  rules
    .filter(({ mode }) => mode === 'dry_run')
    .map((rule) => ({ rule, ...judge(rule, sumEffect(forecast, rule)) }))
    .toSorted((one, other) => Number(other.action === 'go live') - Number(one.action === 'go live'));

function judge(rule: PolicyRule, effect: RuleEffect): Omit<Recommendation, 'rule'> {
  const { acted, outcomes, referralsAtRisk } = effect;
  const watch = (reason: string): Omit<Recommendation, 'rule'> => ({ action: 'keep watching', reason });
  if (acted === 0) return watch('It would have affected no request so far.');
  const affected = `${formatCount(acted)} ${acted === 1 ? 'request' : 'requests'} would have been ${describeOutcomes(outcomes)}`;
  const counts = countResults(effect);
  if (counts === null) return watch(`${affected}, by more agents than this page can judge.`);
  const { verified, verification_failed: failed, not_verifiable: open, unknown_agent: unknown } = counts;
  if (unknown > 0) {
    const whose = unknown === acted ? 'all' : formatCount(unknown);
    return watch(`${affected}, ${whose} by unknown visitors. Check first that they aren’t people.`);
  }
  if (verified > 0) {
    const some = verified === acted ? 'all' : formatCount(verified);
    return referralsAtRisk > 0
      ? watch(
          `${affected}, ${some} by verified agents. The companies behind them sent you ${formatCount(referralsAtRisk)} ${referralsAtRisk === 1 ? 'person' : 'people'} in that time.`,
        )
      : { action: 'go live', reason: `${affected}, ${some} by verified agents whose companies sent you nobody.` };
  }
  if (open === 0) return { action: 'go live', reason: `${affected}, all by impostors. No verified agent is affected.` };
  // Agents that can't be verified come from the same networks as impostors.
  if (failed > 0 && rule.visitors?.networks !== undefined)
    return {
      action: 'go live',
      reason: `${affected}, ${formatCount(failed)} by impostors and the others by agents that can’t be verified. No verified agent is affected.`,
    };
  return watch(
    `${affected}, ${open === acted ? 'all' : formatCount(open)} by agents that can’t be verified, so some may be genuine.`,
  );
}
