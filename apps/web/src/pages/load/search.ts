import type { LoadGrouping } from '../../api/load.js';
import { isFiltered, parseFilterSet, toFilterSearch, type FilterSearch } from '../../filters/filter-set.js';
import { parseRangeSearch, type RangeSearch } from '../../range/range.js';

/** Ways to compare loads, the most meaningful one first. */
export const MEASURE_NAMES = ['cost', 'bytes', 'time', 'requests'] as const;
export type Measure = (typeof MEASURE_NAMES)[number];

/** Number of rows shown initially. */
export const PAGE_SIZE = 10;

/** Tabs in order, each with its table's grouping. */
export const LOAD_TABS = ['agent', 'operator', 'type', 'folder', 'page', 'pattern'] as const satisfies LoadGrouping[];
export type LoadTab = (typeof LOAD_TABS)[number];

export interface LoadSearch extends RangeSearch, FilterSearch {
  /** Tab. Default: agents. */
  by?: LoadTab;
  /** Measure in the chart. Default: the first known one. */
  measure?: Measure;
  /** True to cut off the bars of a time that makes the others too low to read. */
  cut?: true;
  /** True to include unknown visitors. */
  unknown?: true;
}

/** Parses the URL search parameters and ignores invalid ones. */
export function parseLoadSearch(search: Record<string, unknown>): LoadSearch {
  const set = parseFilterSet(search);
  const by = LOAD_TABS.find((tab) => tab === search['by']);
  const measure = MEASURE_NAMES.find((name) => name === search['measure']);
  const isTrue = (name: string): boolean => search[name] === true || search[name] === 'true';
  return {
    ...parseRangeSearch(search),
    ...(isFiltered(set) && toFilterSearch(set)),
    ...(by !== undefined && by !== 'agent' && { by }),
    ...(measure !== undefined && { measure }),
    ...(isTrue('cut') && { cut: true as const }),
    ...(isTrue('unknown') && { unknown: true as const }),
  };
}
