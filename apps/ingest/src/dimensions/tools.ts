import {
  dimensionValue,
  durationClass,
  NO_CALLER,
  TOOL_DIMENSIONS,
  type EnrichedVisit,
  type Visit,
} from '#libs/contracts';
import { wellFormedText, type Dimension } from '#libs/visit-store';
import { NO_DIMENSIONS, type KnownOfVisit } from './dimension.js';

/** Maximum length of a name chosen by a caller or client, in characters. */
const NAME_LENGTH = 200;

/** Returns the dimensions of a visit for the report on tools and checkouts. */
export function toolDimensions(
  { visit, identification }: EnrichedVisit,
  { kinds }: KnownOfVisit,
): readonly Dimension[] {
  // Skip page requests, which are most visits.
  if (kinds[0] === 'page') return NO_DIMENSIONS;
  const dimensions = kinds.map((kind): Dimension => [TOOL_DIMENSIONS.kinds, dimensionValue(kind)]);
  if (!isCall(visit)) return dimensions;
  const tool = name(visit.mcp_request_tool_name);
  const { agent_id: agentId, result } = identification;
  const caller = result === 'verification_failed' ? NO_CALLER.spoofed : (agentId ?? NO_CALLER.unknown);
  const client = [name(visit.mcp_request_client_info_name), name(visit.mcp_request_client_info_version)];
  const duration = visit.response_duration_in_milliseconds;
  const outcome = outcomeOf(visit);
  dimensions.push(
    [TOOL_DIMENSIONS.results, dimensionValue(outcome === '' ? 'answered' : 'failed')],
    [TOOL_DIMENSIONS.calls, dimensionValue(tool, outcome)],
    [TOOL_DIMENSIONS.callers, dimensionValue(tool, caller)],
    [TOOL_DIMENSIONS.clients, dimensionValue(tool, ...client)],
  );
  if (duration != null) {
    dimensions.push([TOOL_DIMENSIONS.durations, dimensionValue(tool, String(durationClass(duration)))]);
  }
  return dimensions;
}

/** Returns whether a visit is a tool call. If the site doesn't report the method, the name of a tool is enough. */
const isCall = ({ mcp_request_method: method, mcp_request_tool_name: tool }: Visit): boolean =>
  method == null ? tool != null : method === 'tools/call';

/**
 * Returns an empty string for a successful call, otherwise the kind and code of the error: `protocol -32602`, `tool`,
 * `http 503`.
 */
function outcomeOf(visit: Visit): string {
  if (visit.mcp_response_error_code != null) return `protocol ${visit.mcp_response_error_code}`;
  if (visit.mcp_response_result_is_error === true) return 'tool';
  const status = visit.response_status_code;
  return status != null && status >= 400 ? `http ${status}` : '';
}

/** Replaces the same characters as the visits column does, so counts can link to visits. Only here, names are cut. */
const name = (text: string | null | undefined): string => wellFormedText((text ?? '').slice(0, NAME_LENGTH));
