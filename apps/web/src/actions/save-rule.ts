import type { QueryClient } from '@tanstack/react-query';
import type { PolicyRule } from '../api/policy.js';
import { changeRules, fetchPolicy, removeRule, WITH_FORECAST } from './add-rule.js';
import { isUnchanged } from './finding-rule.js';

interface RuleChange {
  /** Rule as it was when the change started, or null for a new one. */
  before: PolicyRule | null;
  after: PolicyRule;
  /** True to add a new rule before all others, so that they don't take precedence. Default: after them. */
  isFirst: boolean;
}

/** Replaces the rule with the same ID, or adds a new one. */
export const insertRule = (rules: readonly PolicyRule[], { before, after, isFirst }: RuleChange): PolicyRule[] =>
  before !== null
    ? rules.map((rule) => (rule.id === after.id ? after : rule))
    : isFirst
      ? [after, ...rules]
      : [...rules, after];

/**
 * Publishes a changed or new rule. Changes to other rules by someone else are retained.
 *
 * @returns A function that restores the previous rule.
 */
export async function saveRule(
  queryClient: QueryClient,
  projectId: string,
  change: RuleChange,
): Promise<() => Promise<string>> {
  const { before, after } = change;
  const { saved } = await changeRules(queryClient, projectId, await fetchPolicy(projectId), (rules) => {
    if (before !== null && !isSaved(rules, before))
      throw new Error('Someone else has changed this rule since. Reload the page to edit the new version.');
    return { rules: insertRule(rules, change), ...WITH_FORECAST };
  });
  return before === null
    ? () => removeRule(queryClient, projectId, { rule: after, saved })
    : async () => {
        await changeRules(queryClient, projectId, await fetchPolicy(projectId), (rules) => {
          if (!isSaved(rules, after))
            throw new Error('Someone has changed the rule since. Edit it on the policy page.');
          return { rules: rules.map((rule) => (rule.id === before.id ? before : rule)) };
        });
        return 'The rule is as it was before.';
      };
}

function isSaved(rules: readonly PolicyRule[], rule: PolicyRule): boolean {
  const found = rules.find(({ id }) => id === rule.id);
  return found !== undefined && isUnchanged(found, rule);
}
