import type { QueryClient } from '@tanstack/react-query';
import { ApiError, client, versioned, type Versioned } from '../api/client.js';
import { policyQuery, type CurrentPolicy, type PolicyRule } from '../api/policy.js';
import { findSameRule, isUnchanged } from './finding-rule.js';

const CONFLICT_STATUS = 412;
/** Stores a forecast based on the last 7 days with the version. */
export const WITH_FORECAST = { forecast_days: 7 };
/** Attempts to save while others are changing the policy, too. */
const MAX_ATTEMPTS = 3;

export interface AddedRule {
  /** The added rule, or an existing one with the same effect. */
  rule: PolicyRule;
  /** Restores the previous rules. Undefined if the rule already existed. */
  undo?: () => Promise<string>;
}

const toParams = (id: string) => ({ params: { path: { id } } });

/** Adds a rule before all others, so that no other rule takes precedence. */
export async function addRule(queryClient: QueryClient, projectId: string, rule: PolicyRule): Promise<AddedRule> {
  const before = await fetchPolicy(projectId);
  const existing = findSameRule(before.rules, rule);
  if (existing !== undefined) return { rule: existing };
  const { saved } = await changeRules(queryClient, projectId, before, (rules) => ({
    // Publishing a draft that is based on the shown rules may have saved it in the meantime.
    rules: rules.some(({ id }) => id === rule.id) ? rules : [rule, ...rules],
    ...WITH_FORECAST,
  }));
  return { rule, undo: () => removeRule(queryClient, projectId, { rule, saved }) };
}

/**
 * Removes an added rule. This restores the previous rules, unless someone else has changed the policy since. In that
 * case, their changes are retained.
 */
export async function removeRule(
  queryClient: QueryClient,
  projectId: string,
  { rule, saved }: { rule: PolicyRule; saved: Versioned<CurrentPolicy> },
): Promise<string> {
  const current = await fetchPolicy(projectId);
  const found = current.rules.find(({ id }) => id === rule.id);
  if (found === undefined) return 'The rule had already been removed.';
  if (!isUnchanged(found, rule)) {
    throw new Error('Someone has changed the rule since. Remove it on the policy page.');
  }
  const { replaced } = await changeRules(queryClient, projectId, current, (rules) => ({
    rules: rules.filter(({ id }) => id !== rule.id),
  }));
  return replaced.version?.id === saved.version?.id
    ? 'The rule was removed. The policy is as it was before.'
    : 'The rule was removed. Someone else has changed the policy since, and those changes are still in it.';
}

/**
 * Removes a rule.
 *
 * @returns A function that adds it again at the same position, or null if the rule had already been removed.
 */
export async function deleteRule(
  queryClient: QueryClient,
  projectId: string,
  { id }: PolicyRule,
): Promise<(() => Promise<string>) | null> {
  const current = await fetchPolicy(projectId);
  const index = current.rules.findIndex((rule) => rule.id === id);
  if (index === -1) {
    queryClient.setQueryData(policyQuery(projectId).queryKey, current);
    return null;
  }
  const removed = current.rules[index]!;
  await changeRules(queryClient, projectId, current, (rules) => ({ rules: rules.filter((rule) => rule.id !== id) }));
  return async () => {
    await changeRules(queryClient, projectId, await fetchPolicy(projectId), (rules) => ({
      rules: rules.some((rule) => rule.id === id) ? rules : rules.toSpliced(index, 0, removed),
      ...WITH_FORECAST,
    }));
    return `“${removed.name}” was added again.`;
  };
}

export const fetchPolicy = (projectId: string): Promise<Versioned<CurrentPolicy>> =>
  versioned(client.GET('/api/projects/{id}/policy', toParams(projectId)));

interface ChangedRules {
  /** Version that the change was applied to. */
  replaced: Versioned<CurrentPolicy>;
  saved: Versioned<CurrentPolicy>;
}

/** Saves changed rules. If someone else saves a version first, the change is applied to that version. */
export async function changeRules(
  queryClient: QueryClient,
  projectId: string,
  base: Versioned<CurrentPolicy>,
  change: (rules: PolicyRule[]) => { rules: PolicyRule[]; forecast_days?: number },
): Promise<ChangedRules> {
  let current = base;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const saved: Versioned<CurrentPolicy> = await versioned(
        client.PUT('/api/projects/{id}/policy', {
          ...toParams(projectId),
          body: change(current.rules),
          headers: { 'If-Match': current.etag! },
        }),
      );
      queryClient.setQueryData(policyQuery(projectId).queryKey, saved);
      void queryClient.invalidateQueries({ queryKey: ['projects', projectId, 'policy effect'] });
      return { replaced: current, saved };
    } catch (error) {
      const isConflict = error instanceof ApiError && error.status === CONFLICT_STATUS;
      if (!isConflict || attempt === MAX_ATTEMPTS) throw error;
      current = await fetchPolicy(projectId);
    }
  }
}
