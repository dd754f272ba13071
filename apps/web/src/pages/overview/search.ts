import {
  excludeUnknown,
  toFilterSearch,
  isFiltered,
  parseFilterSet,
  type FilterSearch,
  type FilterSet,
} from '../../filters/filter-set.js';
import { parseRangeSearch, type RangeSearch } from '../../range/range.js';
import { CHART_VIEWS, type ChartView } from '../../charts/chart-view.js';
import { toFilters, type Filters } from '../../filters/visit-filters.js';

export interface OverviewSearch extends RangeSearch, FilterSearch {
  /** True to include unknown visitors. */
  unknown?: true;
  /** Labels of the hidden chart series. */
  hidden?: string[] | undefined;
  /** View of the chart. Default: visits by agent type. */
  chart?: ChartView | undefined;
  /** True to show one chart per series. */
  apart?: true;
  /** Selected tabs of the lists. The first one is selected by default. */
  who?: WhoTab;
  where?: WhereTab;
}

const WHO_TABS = ['operators', 'types'] as const;
const WHERE_TABS = ['statuses', 'verdicts'] as const;
type WhoTab = (typeof WHO_TABS)[number];
type WhereTab = (typeof WHERE_TABS)[number];

export function parseOverviewSearch(search: Record<string, unknown>): OverviewSearch {
  const { apart, chart, hidden, unknown } = search;
  const view = CHART_VIEWS.find((one) => one === chart);
  const who = WHO_TABS.find((tab) => tab === search['who']);
  const where = WHERE_TABS.find((tab) => tab === search['where']);
  const set = parseFilterSet(search);
  return {
    ...parseRangeSearch(search),
    ...(isFiltered(set) && toFilterSearch(set)),
    ...((unknown === true || unknown === 'true') && { unknown: true as const }),
    ...(view !== undefined && view !== 'type' && { chart: view }),
    ...((apart === true || apart === 'true') && { apart: true as const }),
    ...(who !== undefined && { who }),
    ...(where !== undefined && { where }),
    ...(Array.isArray(hidden) && { hidden: hidden.filter((label) => typeof label === 'string') }),
  };
}

/** Returns visit list filters that match the visits counted in the overview. */
export const visitFilters = (set: FilterSet, hasUnknown: boolean): Filters =>
  toFilters(hasUnknown ? set : excludeUnknown(set));
