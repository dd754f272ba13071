import {
  COMPLIANCE_DIMENSIONS,
  findAgentFile,
  formatDimension,
  UNKNOWN_FETCHER,
  type EnrichedVisit,
  type FileAnswer,
  type ResponseFormat,
  type Visit,
} from '#libs/contracts';
import type { Dimension } from '#libs/visit-store';
import { NO_DIMENSIONS, type VisitContext } from './dimension.js';

const WELL_KNOWN_PREFIX = '/.well-known/';

/**
 * Returns the file that a visit fetched, with the answer. Unknown visitors can request any path, so only listed files
 * are counted for them. Ignores spoofed agents, which are rightly blocked.
 */
export function agentFileDimensions(
  { identification: { agent_id: agentId, result }, visit }: EnrichedVisit,
  { path, responseFormat }: VisitContext,
): readonly Dimension[] {
  if (result === 'verification_failed') return NO_DIMENSIONS;
  const file = findAgentFile(path) ?? (agentId !== null && path.startsWith(WELL_KNOWN_PREFIX) ? path : null);
  if (file === null) return NO_DIMENSIONS;
  return [
    [
      COMPLIANCE_DIMENSIONS.files,
      formatDimension(agentId ?? UNKNOWN_FETCHER, toFileAnswer(visit, responseFormat), file),
    ],
  ];
}

function toFileAnswer(
  { request_method: method, response_status_code: status }: Visit,
  format: ResponseFormat,
): FileAnswer {
  if (status == null || status < 200) return 'none';
  // The file may be available with GET.
  if (status === 405 && method !== 'GET') return 'none';
  if (status === 202) return 'challenge';
  if (status < 300) return format === 'html' ? 'html' : 'file';
  if (status === 304) return 'file';
  if (status < 400) return 'redirect';
  if (status === 404 || status === 410) return 'not_found';
  return status < 500 ? 'refused' : 'error';
}
