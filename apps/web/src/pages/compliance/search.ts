import { parseRangeSearch, type RangeSearch } from '../../range/range.js';

export const COMPLIANCE_TABS = ['agents', 'people', 'files', 'formats', 'versions', 'paid'] as const;

export interface ComplianceSearch extends RangeSearch {
  /** Tab of the card below the chart. Default: the first one. */
  tab?: (typeof COMPLIANCE_TABS)[number];
  /** ID of the agent in the open details drawer. */
  agent?: string;
  /** ID of the robots.txt version in the open drawer. */
  version?: string;
}

export function parseComplianceSearch(search: Record<string, unknown>): ComplianceSearch {
  const { agent, version } = search;
  const tab = COMPLIANCE_TABS.find((name) => name === search['tab']);
  return {
    ...parseRangeSearch(search),
    ...(tab !== undefined && { tab }),
    ...(typeof agent === 'string' && agent !== '' && { agent }),
    ...(typeof version === 'string' && version !== '' && { version }),
  };
}
