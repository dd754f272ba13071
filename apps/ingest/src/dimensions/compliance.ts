import { COMPLIANCE_DIMENSIONS, formatDimension, toStatusGroup, type EnrichedVisit } from '#libs/contracts';
import type { Dimension } from '#libs/visit-store';
import { NO_DIMENSIONS, type VisitContext } from './dimension.js';

/** Returns a visit's dimensions for the compliance report, as defined by {@link COMPLIANCE_DIMENSIONS}. */
export function complianceDimensions(
  { identification, visit, robots }: EnrichedVisit,
  { path, isPayment }: VisitContext,
): readonly Dimension[] {
  const { agent_id: agent, result } = identification;
  if (agent === null) return NO_DIMENSIONS;
  const group = toStatusGroup(visit.response_status_code);
  // The array is created with its first element, because V8 reserves space for 17 elements when an element is pushed to
  // an empty array.
  const dimensions: Dimension[] =
    robots === undefined ? [] : [[COMPLIANCE_DIMENSIONS.judged, formatDimension(agent, robots.verdict, result, group)]];
  // Verification failed, so someone else sent this request in the agent's name. Don't count it for the agent.
  if (result === 'verification_failed') return dimensions;
  if (robots?.verdict === 'disallowed') {
    dimensions.push([COMPLIANCE_DIMENSIONS.pages, formatDimension(agent, path)]);
    if (robots.version !== null && robots.line !== null) {
      dimensions.push([COMPLIANCE_DIMENSIONS.lines, formatDimension(agent, robots.version, String(robots.line))]);
    }
  }
  if (path === '/robots.txt') dimensions.push([COMPLIANCE_DIMENSIONS.robotsFetches, agent]);
  if (isPayment) dimensions.push([COMPLIANCE_DIMENSIONS.payments, agent]);
  return dimensions;
}
