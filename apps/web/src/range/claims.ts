import type { NewsItem } from '../api/statistics.js';
import type { FilterSet } from '../filters/filter-set.js';
import { agentFilter } from './list-link.js';

export type Impersonation = Extract<NewsItem, { kind: 'impersonation' }>;

/** Returns filters for the visits that an item about a network counts. */
export const getClaims = ({ network, agents }: Impersonation): FilterSet => ({
  address: [network],
  agent: agents.map(agentFilter),
  result: ['verification_failed', 'not_verifiable'],
});
