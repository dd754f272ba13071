import { parseRangeSearch, type RangeSearch } from '../../range/range.js';

export interface ComplianceSearch extends RangeSearch {
  /** ID of the agent in the open details drawer. */
  agent?: string;
  /** ID of the robots.txt version in the open drawer. */
  version?: string;
}

export function parseComplianceSearch(search: Record<string, unknown>): ComplianceSearch {
  const { agent, version } = search;
  return {
    ...parseRangeSearch(search),
    ...(typeof agent === 'string' && agent !== '' && { agent }),
    ...(typeof version === 'string' && version !== '' && { version }),
  };
}
