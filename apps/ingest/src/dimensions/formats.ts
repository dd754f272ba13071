import { COMPLIANCE_DIMENSIONS, formatDimension, type EnrichedVisit } from '#libs/contracts';
import type { Dimension } from '#libs/visit-store';
import { NO_DIMENSIONS, type VisitContext } from './dimension.js';

/**
 * Returns the format that an agent asked for, with the format it got. Ignores errors and redirects, spoofed agents, and
 * visits with neither header.
 */
export function formatDimensions(
  { identification: { agent_id: agentId, result }, visit: { response_status_code: status } }: EnrichedVisit,
  { requestedFormat: requested, responseFormat: response }: VisitContext,
): readonly Dimension[] {
  if (agentId === null || result === 'verification_failed') return NO_DIMENSIONS;
  if (status == null || status < 200 || status >= 300) return NO_DIMENSIONS;
  if (requested === 'none' && response === 'none') return NO_DIMENSIONS;
  return [[COMPLIANCE_DIMENSIONS.formats, formatDimension(agentId, requested, response)]];
}
