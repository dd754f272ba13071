import type { ComplianceAgent } from '../../api/compliance.js';
import type { FilterSet } from '../../filters/filter-set.js';
import { agentFilter, listLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import { filtersOf } from '../../filters/visit-filters.js';

/** Below 400: the site gave what was asked for, or led to it. */
const SERVED = ['2xx', '3xx'];
/** Whose visits count against nobody: they are only said to be the agent's. */
const NOT_SPOOFED: FilterSet = { not_result: ['verification_failed'] };

/** Which visits numbers of the report count. */
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

/** Leads to visits of a range. */
export const visitsLink = (projectId: string, range: LinkedRange) => (set: FilterSet) =>
  listLink(projectId, range)(filtersOf(set));

export const ofAgent = (agent: Pick<ComplianceAgent, 'agent_id' | 'agent_token'>, set: FilterSet): FilterSet => ({
  agent: [agentFilter(agent)],
  ...set,
});
