import type { ComplianceAgent } from '../../api/compliance.js';
import type { FilterSet } from '../../filters/filter-set.js';
import { agentFilter, listLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import { filtersOf } from '../../filters/visit-filters.js';

const SERVED = ['2xx', '3xx'];
/** Spoofed visits only claim to be from an agent, so they don't count against it. */
const NOT_SPOOFED: FilterSet = { not_result: ['verification_failed'] };

/** Filters for the visits that each number counts. */
export const COUNTED = {
  disallowed: { robots: ['disallowed'], ...NOT_SPOOFED },
  served: { robots: ['disallowed'], status: SERVED, ...NOT_SPOOFED },
  forbidden: { robots: ['disallowed'], status: ['403'], ...NOT_SPOOFED },
  verified: { robots: ['disallowed'], result: ['verified'] },
  conflicts: { robots: ['allowed', 'no_rules'], status: ['403'], ...NOT_SPOOFED },
  unreachable: { robots: ['unreachable'], ...NOT_SPOOFED },
  unknown: { robots: ['unknown'], ...NOT_SPOOFED },
  spoofed: { robots: ['disallowed'], result: ['verification_failed'] },
} satisfies Record<string, FilterSet>;

/** Returns a function that links to filtered visits of a range. */
export const visitsLink = (projectId: string, range: LinkedRange) => (set: FilterSet) =>
  listLink(projectId, range)(filtersOf(set));

export const ofAgent = (agent: Pick<ComplianceAgent, 'agent_id' | 'agent_token'>, set: FilterSet): FilterSet => ({
  agent: [agentFilter(agent)],
  ...set,
});
