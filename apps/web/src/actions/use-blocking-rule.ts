import { useQuery } from '@tanstack/react-query';
import { policyQuery } from '../api/policy.js';
import type { Requests } from '../rules/agent-response.js';
import { findRuleForAll, type BlockingRule } from './agent-rule.js';

/** Returns the rule that blocks all of the requests, or null. It changes as soon as a rule is added or removed. */
export function useBlockingRule(projectId: string, requests: readonly Requests[]): BlockingRule | null {
  const { data: policy } = useQuery({ ...policyQuery(projectId), enabled: requests.length > 0 });
  return findRuleForAll(policy?.rules ?? [], requests);
}
