import { AGENT_TYPES } from '../../api/constants.js';
import { parseRangeSearch, type RangeSearch } from '../../range/range.js';
import type { Sort } from '../../ui/sorting.js';

const SORT_KEYS = ['visits', 'last_seen', 'token', 'type', 'operator', 'verified', 'spoofed'] as const;
export type SortKey = (typeof SORT_KEYS)[number];

export interface AgentsSearch extends RangeSearch {
  /** Part of an agent's or operator's name. */
  q?: string;
  type?: string;
  /** Sort column. Default: visits. */
  sort?: SortKey;
  /** Sort direction. Default: ascending for names, descending for numbers and times. */
  direction?: Sort['direction'];
}

const TYPES: readonly string[] = AGENT_TYPES;
const TEXT_SORT_KEYS: ReadonlySet<string> = new Set<SortKey>(['token', 'type', 'operator']);
const getDefaultDirection = (key: string): Sort['direction'] => (TEXT_SORT_KEYS.has(key) ? 'ascending' : 'descending');

export const toSort = ({ sort = 'visits', direction = getDefaultDirection(sort) }: AgentsSearch): Sort => ({
  key: sort,
  direction,
});

/** Returns URL search parameters, omitting defaults. */
export const toSortSearch = ({ key, direction }: Sort): Pick<AgentsSearch, 'sort' | 'direction'> => ({
  sort: key === 'visits' ? undefined : (key as SortKey),
  direction: direction === getDefaultDirection(key) ? undefined : direction,
});

export function parseAgentsSearch(search: Record<string, unknown>): AgentsSearch {
  const { direction } = search;
  const sort = SORT_KEYS.find((sortKey) => sortKey === search['sort']);
  const [q, type] = [search['q'], search['type']].map((value) =>
    typeof value === 'string' || typeof value === 'number' ? String(value) : '',
  );
  return {
    ...parseRangeSearch(search),
    ...(q && { q }),
    ...(type && TYPES.includes(type) && { type }),
    ...(sort !== undefined && sort !== 'visits' && { sort }),
    ...((direction === 'ascending' || direction === 'descending') && { direction }),
  };
}

/** URL search parameters of an agent's page: the range and the selected tabs. The first tabs are the default. */
export interface AgentSearch extends RangeSearch {
  identity?: 'verified';
  about?: 'conduct';
  /** Opens the choice of a blocking rule, or the menu of actions. */
  action?: 'block' | 'menu' | undefined;
}

export const parseAgentSearch = (search: Record<string, unknown>): AgentSearch => ({
  ...parseRangeSearch(search),
  ...(search['identity'] === 'verified' && { identity: 'verified' as const }),
  ...(search['about'] === 'conduct' && { about: 'conduct' as const }),
  ...((search['action'] === 'block' || search['action'] === 'menu') && { action: search['action'] }),
});
