import type { PolicyRule } from '#libs/contracts';
import type { PaymentFilters } from '../../../api/payments.js';
import { typesOf } from '../../../rules/agent-response.js';

/**
 * Returns filters for the payments of a rule's visitors, or null if there are none with the same meaning: filters can't
 * combine agents, operators and types, or express the rule's other conditions.
 */
export function toPaymentFilters({
  action,
  visitors = {},
  requests = {},
  exceptions,
}: PolicyRule): PaymentFilters | null {
  if (action.kind !== 'charge' || exceptions !== undefined) return null;
  const { agent_tokens: agent, operators: operator, agent_types: _types, purposes: _purposes, ...others } = visitors;
  const { paths, ...otherRequests } = requests;
  const type = typesOf({ visitors });
  const named = [agent, operator, type].filter((names) => names !== undefined && names.length > 0);
  if (named.length > 1 || Object.keys(others).length > 0 || Object.keys(otherRequests).length > 0) return null;
  return {
    ...(agent && { agent }),
    ...(operator && { operator }),
    ...(type.length > 0 && { type }),
    ...(paths && { path: paths.map(toPathFilter) }),
  };
}

/** Converts a path as in robots.txt, which matches prefixes unless it ends with `$`, to a path filter. */
function toPathFilter(path: string): string {
  if (path.endsWith('$')) return path.slice(0, -1);
  return path.includes('*') && !path.endsWith('*') ? `${path}*` : path;
}
