import { parseCidr } from '#libs/agents';
import { agentId } from '#libs/catalog';
import { AGENT_TYPES, agentTypeNamed, IDENTIFICATION_RESULTS, isUuid, kindBits, VISIT_KINDS } from '#libs/contracts';
import { ParameterReader, type Parameters } from '../parameters.js';
import { readCursor, type Cursor } from './timeline-cursor.js';
import type { TimelineFilters } from './timeline-filters.js';

export interface TimelineQuery extends TimelineFilters {
  limit: number;
  cursor: Cursor | null;
}

/** Reads the parameters of the timeline. @throws ProblemError 422 that names those that don't fit. */
export function readTimelineQuery(parameters: Parameters): TimelineQuery {
  const reader = new ParameterReader(parameters);
  const query: TimelineQuery = {
    ...readTimelineFilters(reader),
    limit: reader.limit(),
    cursor: reader.cursor(readCursor),
  };
  reader.finish();
  return query;
}

/** Leaves it to the caller to finish. */
export function readTimelineFilters(reader: ParameterReader): TimelineFilters {
  const kinds = reader.members('kind', VISIT_KINDS);
  return {
    from: reader.time('from'),
    to: reader.time('to'),
    agentIds: reader.values('agent')?.map((agent) => (isUuid(agent) ? agent.toLowerCase() : agentId(agent))) ?? null,
    types: reader.each('type', `must be one of: ${AGENT_TYPES.join(', ')}`, agentTypeNamed),
    operators: reader.values('operator'),
    results: reader.members('result', IDENTIFICATION_RESULTS),
    pathPrefixes: reader.values('path'),
    pages: reader.values('page'),
    addresses: reader.each('address', 'must be an address, or a network such as 192.0.2.0/24', (text) =>
      parseCidr(text) === null || text.includes('%') ? null : text,
    ),
    statuses: reader.each('status', 'must be a status such as 404, or a class such as 4xx', readStatus),
    mcpTools: reader.values('mcp_tool'),
    kinds: kinds && kindBits(kinds),
  };
}

function readStatus(value: string): { from: number; to: number } | null {
  if (/^[1-9]xx$/i.test(value)) return { from: Number(value[0]) * 100, to: Number(value[0]) * 100 + 100 };
  return /^\d{1,9}$/.test(value) ? { from: Number(value), to: Number(value) + 1 } : null;
}
