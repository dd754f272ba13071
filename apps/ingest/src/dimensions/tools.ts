import {
  formatDimension,
  getDurationClass,
  NO_CALLER,
  TOOL_DIMENSIONS,
  type EnrichedVisit,
  type Visit,
} from '#libs/contracts';
import { wellFormedText, type Dimension } from '#libs/visit-store';
import { NO_DIMENSIONS, type VisitContext } from './dimension.js';

/** Methods of requests about a prompt or a resource. */
const NAMED_METHODS: ReadonlySet<string> = new Set(['prompts/get', 'resources/read']);

/** Maximum length of a stored tool or client name, in characters. */
const MAX_NAME_LENGTH = 200;

/** Returns a visit's dimensions for the tools and checkouts report. */
export function toolDimensions(
  { visit, identification }: EnrichedVisit,
  { kinds }: VisitContext,
): readonly Dimension[] {
  // Fast path: most visits are page requests.
  if (kinds[0] === 'page') return NO_DIMENSIONS;
  const dimensions = kinds.map((kind): Dimension => [TOOL_DIMENSIONS.kinds, formatDimension(kind)]);
  if (!kinds.includes('mcp')) return dimensions;
  const tool = normalizeName(visit.mcp_request_tool_name);
  const { agent_id: agentId, result } = identification;
  const caller = result === 'verification_failed' ? NO_CALLER.spoofed : (agentId ?? NO_CALLER.unknown);
  const client = [
    normalizeName(visit.mcp_request_client_info_name),
    normalizeName(visit.mcp_request_client_info_version),
  ];
  const version = normalizeName(visit.mcp_request_protocol_version);
  dimensions.push([TOOL_DIMENSIONS.versions, formatDimension(version, caller, ...client)]);
  // The client repeats the request with the input. Only the final request counts.
  if (visit.mcp_response_result_type === 'input_required') return dimensions;
  const method = normalizeName(visit.mcp_request_method);
  if (!isToolCall(visit)) {
    const name = NAMED_METHODS.has(method) ? tool : '';
    if (method !== '') dimensions.push([TOOL_DIMENSIONS.requests, formatDimension(method, name, getOutcome(visit))]);
    return dimensions;
  }
  const duration = visit.response_duration_in_milliseconds;
  const outcome = getOutcome(visit);
  dimensions.push(
    [TOOL_DIMENSIONS.results, formatDimension(outcome === '' ? 'answered' : 'failed')],
    [TOOL_DIMENSIONS.calls, formatDimension(tool, outcome)],
    [TOOL_DIMENSIONS.callers, formatDimension(tool, caller)],
    [TOOL_DIMENSIONS.clients, formatDimension(tool, ...client)],
  );
  if (duration != null) {
    dimensions.push([TOOL_DIMENSIONS.durations, formatDimension(tool, String(getDurationClass(duration)))]);
  }
  return dimensions;
}

/** Returns true if a visit is a tool call. If the site doesn't report the method, a tool name is enough. */
const isToolCall = ({ mcp_request_method: method, mcp_request_tool_name: tool }: Visit): boolean =>
  method == null ? tool != null : method === 'tools/call';

/** Returns an empty string for a successful call, or the kind and code of the error, such as `protocol -32602`. */
function getOutcome(visit: Visit): string {
  if (visit.mcp_response_error_code != null) return `protocol ${visit.mcp_response_error_code}`;
  if (visit.mcp_response_result_is_error === true) return 'tool';
  const status = visit.response_status_code;
  return status != null && status >= 400 ? `http ${status}` : '';
}

/**
 * Truncates a name and replaces characters that can't be stored. The columns of `visits` contain names with the same
 * replacements, so a link from a count to its visits finds them.
 */
const normalizeName = (text: string | null | undefined): string =>
  wellFormedText((text ?? '').slice(0, MAX_NAME_LENGTH));
