import type { PolicyRule } from '#libs/contracts';
import { findResponse, type Agent } from '../rules/agent-response.js';

/** Rule that refuses all requests by an agent. */
export interface BlockingRule {
  rule: PolicyRule;
  /** False if the rule is a dry run. */
  isLive: boolean;
}

/** Returns the rule that blocks an agent, or the one whose dry run would. */
export function findBlockingRule(rules: readonly PolicyRule[], agent: Agent): BlockingRule | null {
  const { live, dryRun } = findResponse(rules, agent);
  const decision = [live, dryRun].find((one) => one?.action.kind === 'refuse');
  return decision ? { rule: decision.rule, isLive: decision === live } : null;
}
