import type { AnyRequest } from './requests.js';
import type { Visit } from './types.js';

/** Response header in a visit that contains the decisions of the project's rules. */
const DECISION_HEADER = 'agent-traffic-decision';

/** Decisions by request object. */
const decisions = new WeakMap<object, string>();

const getRequestObject = (request: AnyRequest): object => ('raw' in request ? request.raw : request);

export function setDecision(request: AnyRequest, header: string): void {
  decisions.set(getRequestObject(request), header);
}

/** Adds the decisions on a request to its visit. Visitors don't see them. */
export function addDecision(request: object, visit: Visit): Visit {
  const header = decisions.get(request);
  if (header === undefined) return visit;
  return { ...visit, response_headers: { ...visit.response_headers, [DECISION_HEADER]: header } };
}
