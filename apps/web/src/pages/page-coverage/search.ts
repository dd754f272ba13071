import type { CoveredPagesFilter } from '../../api/coverage.js';

export interface CoverageSearch extends Omit<CoveredPagesFilter, 'path' | 'not_path'> {
  /** Tab of the card with tables. Default: folders. */
  tab?: 'agents' | 'patterns';
  /** Path pattern whose pages are listed. */
  pattern?: string | undefined;
  /** Purpose of the agents in the tables. Default: all agents. */
  purpose?: 'training' | 'search' | 'user' | 'other';
}

/** Filters of the pages in the drawer. */
export type PagesFilter = Omit<CoverageSearch, 'tab' | 'purpose'>;

const STATES = ['fetched', 'never_fetched', 'unlisted'] as const;
const PURPOSES = ['training', 'search', 'user', 'other'] as const;

export function parseCoverageSearch(search: Record<string, unknown>): CoverageSearch {
  const { folder, agent, pattern } = search;
  const state = STATES.find((one) => one === search['state']);
  const purpose = PURPOSES.find((one) => one === search['purpose']);
  return {
    ...(typeof folder === 'string' && folder !== '' && { folder }),
    ...((search['tab'] === 'agents' || search['tab'] === 'patterns') && { tab: search['tab'] }),
    ...(typeof pattern === 'string' && pattern !== '' && { pattern }),
    ...(typeof agent === 'string' && agent !== '' && { agent }),
    ...(state !== undefined && { state }),
    ...(purpose !== undefined && { purpose }),
  };
}
