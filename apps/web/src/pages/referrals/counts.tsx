import type { ReactNode } from 'react';
import type { Project } from '../../api/client.js';
import type { FilterSet } from '../../filters/filter-set.js';
import { toFilters } from '../../filters/visit-filters.js';
import { formatCount } from '../../format/count.js';
import { Change, type ChangeProps } from '../../range/change.js';
import { listLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import { TextLink } from '../../ui/text-link.js';

/**
 * Filters for visits that may count as fetched pages. The lists also contain other files, because there's no filter for
 * content types.
 */
export const FETCHED_PAGES: FilterSet = {
  kind: ['page'],
  not_result: ['verification_failed', 'unknown_agent'],
  not_status: ['4xx', '5xx'],
};

/**
 * Shows how much a count changed, followed by the count itself. Omits the change if both the old and new counts are 0.
 */
export function CountWithChange({ children, ...change }: ChangeProps & { children: ReactNode }) {
  return (
    <>
      {change.current !== 0 || change.previous !== 0 ? <Change {...change} /> : null} {children}
    </>
  );
}

interface PeopleCountProps {
  project: Project;
  linked: LinkedRange;
  /** Filters that select these visits, or null if no filters can. */
  filters: FilterSet | null;
  of: string;
  children: number;
}

/** Shows the number of people sent. Links it to their visits if these are stored. */
export function PeopleCount({ project, linked, filters, of, children: count }: PeopleCountProps) {
  if (count === 0) return <span className="zero">–</span>;
  if (filters === null || project.unknown_visitors === 'counted') return formatCount(count);
  return (
    <TextLink inherit {...listLink(project.id, linked)(toFilters(filters))}>
      {formatCount(count)}
      <span className="unseen"> people sent: {of}</span>
    </TextLink>
  );
}
