import { parseRangeSearch, type RangeSearch } from '../../range/range.js';

export interface VerificationSearch extends RangeSearch {
  /** Tab of the card below the chart. Default: visits that failed verification. */
  show?: 'not_verifiable';
  /** Rows of that card's table. Default: one for each network. */
  by?: 'agent' | undefined;
}

export const parseVerificationSearch = (search: Record<string, unknown>): VerificationSearch => ({
  ...parseRangeSearch(search),
  ...(search['show'] === 'not_verifiable' && { show: search['show'] }),
  ...(search['by'] === 'agent' && { by: search['by'] }),
});
