import { readRange, type RangeSearch } from '../../range/range.js';

export interface ComplianceSearch extends RangeSearch {
  /** Id of the agent whose details are open. */
  agent?: string;
  /** Id of the version of robots.txt that is open. */
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
