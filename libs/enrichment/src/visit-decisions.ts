import { getHeader, type EnrichedVisit, type Visit } from '#libs/contracts';
import { DECISION_HEADER, parseDecisions } from '#libs/policy';

/**
 * Returns the decisions of the policy that a visit's response contains, or undefined if there are none. Ignores request
 * headers, because visitors can forge them.
 */
export function readDecisions({ response_headers: headers }: Visit): EnrichedVisit['decisions'] {
  const value = headers == null ? null : getHeader(headers, DECISION_HEADER);
  if (value === null) return undefined;
  const decisions = parseDecisions(value);
  if (decisions.length === 0) return undefined;
  return decisions.map(({ ruleId, mode, outcome }) => ({ rule_id: ruleId, mode, outcome }));
}
