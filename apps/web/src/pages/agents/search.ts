import { AGENT_TYPES } from '../../api/constants.js';
import { readRange, type RangeSearch } from '../../range/range.js';
import type { Sort } from '../../ui/sorting.js';

const SORTS = ['visits', 'last_seen', 'token', 'type', 'operator', 'verified', 'spoofed'] as const;
export type SortKey = (typeof SORTS)[number];

export interface AgentsSearch extends RangeSearch {
  /** Part of an agent's or operator's name. */
  q?: string;
  type?: string;
  /** Default: visits. */
  sort?: SortKey;
  /** Default: ascending for names, descending for numbers and times. */
  direction?: Sort['direction'];
}

const TYPES: readonly string[] = AGENT_TYPES;
const BY_NAME: ReadonlySet<string> = new Set<SortKey>(['token', 'type', 'operator']);
const usual = (key: string): Sort['direction'] => (BY_NAME.has(key) ? 'ascending' : 'descending');

export const sortOf = ({ sort = 'visits', direction = usual(sort) }: AgentsSearch): Sort => ({ key: sort, direction });

/** Returns URL search parameters. Defaults are omitted. */
export const sortSearch = ({ key, direction }: Sort): Pick<AgentsSearch, 'sort' | 'direction'> => ({
  sort: key === 'visits' ? undefined : (key as SortKey),
  direction: direction === usual(key) ? undefined : direction,
});

export function readAgents(search: Record<string, unknown>): AgentsSearch {
  const { direction } = search;
  const sort = SORTS.find((known) => known === search['sort']);
  const [q, type] = [search['q'], search['type']].map((value) =>
    typeof value === 'string' || typeof value === 'number' ? String(value) : '',
  );
  return {
    ...readRange(search),
    ...(q && { q }),
    ...(type && TYPES.includes(type) && { type }),
    ...(sort !== undefined && sort !== 'visits' && { sort }),
    ...((direction === 'ascending' || direction === 'descending') && { direction }),
  };
}
