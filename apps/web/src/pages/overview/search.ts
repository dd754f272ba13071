import {
  toFilterSearch,
  isFiltered,
  parseFilterSet,
  type FilterSearch,
  type FilterSet,
} from '../../filters/filter-set.js';
import { parseRangeSearch, type RangeSearch } from '../../range/range.js';
import { toFilters, type Filters } from '../../filters/visit-filters.js';

export interface OverviewSearch extends RangeSearch, FilterSearch {
  /** True to include unknown visitors. */
  unknown?: true;
  /** Labels of the hidden chart series. */
  hidden?: string[];
  /** True to show one chart per agent type. */
  apart?: true;
}

export function parseOverviewSearch(search: Record<string, unknown>): OverviewSearch {
  const { apart, hidden, unknown } = search;
  const set = parseFilterSet(search);
  return {
    ...parseRangeSearch(search),
    ...(isFiltered(set) && toFilterSearch(set)),
    ...((unknown === true || unknown === 'true') && { unknown: true as const }),
    ...((apart === true || apart === 'true') && { apart: true as const }),
    ...(Array.isArray(hidden) && { hidden: hidden.filter((label) => typeof label === 'string') }),
  };
}

/** Filters that exclude unknown visitors when set. */
const AGENT_FILTERS = ['agent', 'type', 'operator', 'result'] as const;

/** Returns visit list filters that match the visits counted in the overview. */
export const visitFilters = (set: FilterSet, hasUnknown: boolean): Filters =>
  toFilters(
    hasUnknown || AGENT_FILTERS.some((name) => set[name] !== undefined) || set.not_result?.includes('unknown_agent')
      ? set
      : { ...set, not_result: [...(set.not_result ?? []), 'unknown_agent'] },
  );
