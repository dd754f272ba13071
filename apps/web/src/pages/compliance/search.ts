import { readRange, type RangeSearch } from '../../range/range.js';

export interface ComplianceSearch extends RangeSearch {
  /** ID of the agent whose details are open. */
  agent?: string;
  /** ID of the robots.txt version that is open. */
  version?: string;
}

export function readCompliance(search: Record<string, unknown>): ComplianceSearch {
  const { agent, version } = search;
  return {
    ...readRange(search),
    ...(typeof agent === 'string' && agent !== '' && { agent }),
    ...(typeof version === 'string' && version !== '' && { version }),
  };
}
