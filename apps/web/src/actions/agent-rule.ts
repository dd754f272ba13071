import type { PolicyRule } from '#libs/contracts';
import { findResponse, type Requests } from '../rules/agent-response.js';

/** Rule that refuses all of an agent's requests. */
export interface BlockingRule {
  rule: PolicyRule;
  /** False if the rule is a dry run. */
  isLive: boolean;
}

/** Returns the rule that blocks requests, or the one whose dry run would. */
export function findBlockingRule(rules: readonly PolicyRule[], requests: Requests): BlockingRule | null {
  const { live, dryRun } = findResponse(rules, requests);
  const decision = [live, dryRun].find((one) => one?.action.kind === 'refuse');
  return decision ? { rule: decision.rule, isLive: decision === live } : null;
}

/** Returns a rule that blocks some of the requests if all of them are blocked. If any are only in dry run, returns that rule. */
export function findRuleForAll(rules: readonly PolicyRule[], requests: readonly Requests[]): BlockingRule | null {
  const found = requests.map((one) => findBlockingRule(rules, one));
  const rulesForAll = found.filter((blocking) => blocking !== null);
  if (rulesForAll.length < found.length) return null;
  return rulesForAll.find(({ isLive }) => !isLive) ?? rulesForAll[0] ?? null;
}
