export { applyMatches, toMatches } from './applied-matches.js';
export { REFUSAL_TEXT, toResponse, type DecisionResponse } from './decision-response.js';
export { Policy, type PolicyDecision, type PolicyMatch } from './policy.js';
export type { PolicyRequest } from './policy-request.js';
export {
  DECISION_HEADER,
  formatDecisions,
  OUTCOMES,
  parseDecisions,
  type RecordedDecision,
} from './recorded-decision.js';
export { getAllowanceKey } from './allowance.js';
export { isExemptPath, resolvePaths } from './request-paths.js';
export { toPath } from './request-target.js';
