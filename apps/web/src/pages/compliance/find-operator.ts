import type { ComplianceAgent } from '../../api/compliance.js';

type OperatorAgent = Pick<ComplianceAgent, 'operator_name' | 'disallowed' | 'is_user_triggered'>;

/** Returns the operator with the most disallowed visits by crawlers, for which a statement is suggested. */
export function findOperator(agents: readonly OperatorAgent[]): string | null {
  const sums = new Map<string, number>();
  for (const { operator_name: operator, disallowed, is_user_triggered: isUserTriggered } of agents) {
    if (operator === null || disallowed === 0 || isUserTriggered) continue;
    sums.set(operator, (sums.get(operator) ?? 0) + disallowed);
  }
  return [...sums].toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? null;
}
