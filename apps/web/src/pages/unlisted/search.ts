import { parseRangeSearch, type RangeSearch } from '../../range/range.js';

export interface UnlistedSearch extends RangeSearch {
  /** Tab of the card below the chart. Default: visits by likely bots. */
  show?: 'unclear' | 'dismissed';
}

export function parseUnlistedSearch(search: Record<string, unknown>): UnlistedSearch {
  const { show } = search;
  return { ...parseRangeSearch(search), ...((show === 'unclear' || show === 'dismissed') && { show }) };
}
