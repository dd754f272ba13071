import {
  filterSearch,
  isFiltered,
  readFilterSet,
  type FilterSearch,
  type FilterSet,
} from '../../filters/filter-set.js';
import { readRange, type RangeSearch } from '../../range/range.js';
import { filtersOf, type Filters } from '../../filters/visit-filters.js';

export interface OverviewSearch extends RangeSearch, FilterSearch {
  /** Counts unknown visitors, too. */
  unknown?: true;
  /** Labels of hidden chart series. */
  hidden?: string[];
  /** Draws one chart per agent type. */
  apart?: true;
}

export function readOverview(search: Record<string, unknown>): OverviewSearch {
  const { apart, hidden, unknown } = search;
  const set = readFilterSet(search);
  return {
    ...readRange(search),
    ...(isFiltered(set) && filterSearch(set)),
    ...((unknown === true || unknown === 'true') && { unknown: true as const }),
    ...((apart === true || apart === 'true') && { apart: true as const }),
    ...(Array.isArray(hidden) && { hidden: hidden.filter((label) => typeof label === 'string') }),
  };
}

/** Filters that already exclude unknown visitors. */
const OF_AGENTS = ['agent', 'type', 'operator', 'result'] as const;

/** Returns filters for the visit list that select the visits counted in the overview. */
export const visitFilters = (set: FilterSet, hasUnknown: boolean): Filters =>
  filtersOf(
    hasUnknown || OF_AGENTS.some((name) => set[name] !== undefined) || set.not_result?.includes('unknown_agent')
      ? set
      : { ...set, not_result: [...(set.not_result ?? []), 'unknown_agent'] },
  );
