import type { PolicyRule } from '#libs/contracts';
import type { SavedRules } from './policy-versions.repository.js';

export interface RuleHistory {
  /** IDs of the rule and of all exceptions that it ever had. */
  ids: string[];
  /** Operators that the rule names, in its newest version. */
  operators: string[];
  /** Time at which the rule last went live, in milliseconds since the epoch. Null if it was never live. */
  liveSince: number | null;
  /** Time at which it stopped being live. Null if it is live, or never was. */
  liveUntil: number | null;
}

/**
 * Follows a rule or exception through the versions of a policy. Returns null if none of them contains it.
 *
 * @param versions Newest first.
 */
export function findRuleHistory(versions: readonly SavedRules[], ruleId: string): RuleHistory | null {
  const found = versions.map(({ rules }) => rules.find((rule) => listIds(rule).includes(ruleId)));
  const newest = found.find((rule) => rule !== undefined);
  if (newest === undefined) return null;
  const ids = found.flatMap((rule) => (rule === undefined ? [] : rule.id === ruleId ? listIds(rule) : [ruleId]));
  const last = found.findIndex((rule) => rule?.mode === 'live');
  const before = last === -1 ? -1 : found.findIndex((rule, index) => index > last && rule?.mode !== 'live');
  const first = before === -1 ? versions.length - 1 : before - 1;
  return {
    ids: [...new Set(ids)],
    operators: newest.visitors?.operators ?? [],
    liveSince: last === -1 ? null : versions[first]!.saved_at.getTime(),
    liveUntil: last < 1 ? null : versions[last - 1]!.saved_at.getTime(),
  };
}

const listIds = ({ id, exceptions = [] }: PolicyRule): string[] => [id, ...exceptions.map((exception) => exception.id)];
