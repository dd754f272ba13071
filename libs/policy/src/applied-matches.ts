import { toResponse, type DecisionResponse } from './decision-response.js';
import type { PolicyDecision, PolicyMatch } from './policy.js';
import { OUTCOMES, type RecordedDecision } from './recorded-decision.js';

interface AppliedMatches {
  /** Response of the live rule. Null lets the request through. */
  response: DecisionResponse | null;
  recorded: readonly RecordedDecision[];
}

/** Returns the matches of a decision, starting with the live one. */
export const toMatches = ({ live, dryRun }: Pick<PolicyDecision, 'live' | 'dryRun'>): PolicyMatch[] =>
  [live, dryRun].filter((match) => match !== null);

/**
 * Applies the matches of a decision.
 *
 * @param retryAfterSeconds Seconds until the visitor can send the next request, for each match, or 0 if it is within the
 *   allowance or the rule sets none.
 */
export function applyMatches(matches: readonly PolicyMatch[], retryAfterSeconds: readonly number[]): AppliedMatches {
  let response: DecisionResponse | null = null;
  const recorded = matches.map((match, index): RecordedDecision => {
    const applied = toResponse(match, retryAfterSeconds[index]!);
    if (match.mode === 'live') response = applied;
    return { outcome: applied === null ? 'allowed' : OUTCOMES[match.action.kind], mode: match.mode, ruleId: match.id };
  });
  return { response, recorded };
}
