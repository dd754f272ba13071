import { readRange, type RangeSearch } from '../../range/range.js';

const SORTS = ['visits', 'last_seen', 'token'] as const;
export type Sort = (typeof SORTS)[number];

export interface AgentsSearch extends RangeSearch {
  /** Part of the agent's or the operator's name. */
  q?: string;
  type?: string;
  /** By visits where it says nothing. */
  sort?: Sort;
}

export function readAgents(search: Record<string, unknown>): AgentsSearch {
  const sort = SORTS.find((known) => known === search['sort']);
  const [q, type] = [search['q'], search['type']].map((value) =>
    typeof value === 'string' || typeof value === 'number' ? String(value) : '',
  );
  return {
    ...readRange(search),
    ...(q && { q }),
    ...(type && { type }),
    ...(sort !== undefined && sort !== 'visits' && { sort }),
  };
}
