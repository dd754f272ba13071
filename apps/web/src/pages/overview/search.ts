import { readRange, type RangeSearch } from '../../range/range.js';

export interface OverviewSearch extends RangeSearch {
  /** Those of no known agent are in the chart, too. */
  unknown?: true;
}

export const readOverview = (search: Record<string, unknown>): OverviewSearch => ({
  ...readRange(search),
  ...((search['unknown'] === true || search['unknown'] === 'true') && { unknown: true as const }),
});
