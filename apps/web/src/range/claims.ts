import type { NewsItem } from '../api/statistics.js';
import type { FilterSet } from '../filters/filter-set.js';
import { agentFilter } from './list-link.js';

export type Impersonation = Extract<NewsItem, { kind: 'impersonation' }>;
type Spoofing = Extract<NewsItem, { kind: 'spoofing' }>;

/** Returns filters for the visits that an item about a network counts. */
export const getClaims = (item: Impersonation | Spoofing): FilterSet => ({
  address: [item.network],
  agent: (item.kind === 'spoofing' ? [item] : item.agents).map(agentFilter),
  result: item.kind === 'spoofing' ? ['verification_failed'] : ['verification_failed', 'not_verifiable'],
});
