import type { ComplianceAgent } from '../api/compliance.js';
import type { FilterSet } from '../filters/filter-set.js';
import { agentFilter, listLink } from '../range/list-link.js';
import type { LinkedRange } from '../range/range.js';
import { toFilters } from '../filters/visit-filters.js';

const SERVED_STATUSES = ['2xx', '3xx'];
/** Leave out spoofed visits, because they aren't really by the agent. */
const NOT_SPOOFED: FilterSet = { not_result: ['verification_failed'] };

/** Filters matching the visits behind each number on the page. */
export const COUNT_FILTERS = {
  disallowed: { robots: ['disallowed'], ...NOT_SPOOFED },
  served: { robots: ['disallowed'], status: SERVED_STATUSES, ...NOT_SPOOFED },
  forbidden: { robots: ['disallowed'], status: ['403'], ...NOT_SPOOFED },
  neither: { robots: ['disallowed'], not_status: [...SERVED_STATUSES, '403'], ...NOT_SPOOFED },
  verified: { robots: ['disallowed'], result: ['verified'] },
  conflicts: { robots: ['allowed', 'no_rules'], status: ['403'], ...NOT_SPOOFED },
  unreachable: { robots: ['unreachable'], ...NOT_SPOOFED },
  unknown: { robots: ['unknown'], ...NOT_SPOOFED },
  spoofed: { robots: ['disallowed'], result: ['verification_failed'] },
} satisfies Record<string, FilterSet>;

/** Returns a function that builds links to filtered visits in the range. */
export const visitsLink = (projectId: string, range: LinkedRange) => (set: FilterSet) =>
  listLink(projectId, range)(toFilters(set));

export const forAgent = (agent: Pick<ComplianceAgent, 'agent_id' | 'agent_token'>, set: FilterSet): FilterSet => ({
  agent: [agentFilter(agent)],
  ...set,
});

/**
 * Leaves out agents that fetch on behalf of people. Visits can't be filtered by this property, so the filters exclude
 * the types of these agents instead.
 */
export function forCrawlers(agents: readonly ComplianceAgent[], set: FilterSet): FilterSet {
  const types = agents.flatMap((agent) => (agent.is_user_triggered ? (agent.agent_type_name ?? []) : []));
  return { ...set, ...(types.length > 0 && { not_type: [...new Set(types)].toSorted() }) };
}
