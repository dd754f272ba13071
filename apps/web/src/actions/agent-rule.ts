import { CRAWL_PURPOSES } from '#libs/agents/vocabulary';
import type { PolicyException, PolicyRule } from '#libs/contracts';

interface Agent {
  agent_token: string | null;
  agent_type_name: string | null;
  operator_name: string | null;
}

/** Rule that refuses all requests by an agent. */
export interface BlockingRule {
  rule: PolicyRule;
  /** False if the rule is a dry run. */
  isLive: boolean;
}

/** Returns the rule that blocks an agent, or that would if its dry run were live. Null if all live requests pass. */
export function findBlockingRule(rules: readonly PolicyRule[], agent: Agent): BlockingRule | null {
  for (const rule of rules.filter((one) => one.mode !== 'off' && covers(one, agent))) {
    const { action } = rule.exceptions?.find((exception) => covers(exception, agent)) ?? rule;
    if (action.kind === 'refuse') return { rule, isLive: rule.mode === 'live' };
    if (rule.mode === 'live') return null;
  }
  return null;
}

/** Returns true if conditions apply to all requests by an agent. */
function covers({ visitors = {}, requests }: Pick<PolicyException, 'visitors' | 'requests'>, agent: Agent): boolean {
  if (requests !== undefined || visitors.results !== undefined) return false;
  const includes = (names: readonly string[] | undefined, name: string | null): boolean =>
    name !== null && names?.some((other) => other.toLowerCase() === name.toLowerCase()) === true;
  const purposes = (visitors.purposes ?? []).flatMap((purpose) => [...CRAWL_PURPOSES[purpose].types]);
  return (
    Object.keys(visitors).length === 0 ||
    includes([...(visitors.agent_types ?? []), ...purposes], agent.agent_type_name) ||
    includes(visitors.agent_tokens, agent.agent_token) ||
    includes(visitors.operators, agent.operator_name)
  );
}
