import { useSuspenseQueries, useSuspenseQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { projectQuery, summariesQuery } from '../api/queries.js';
import { useClock } from '../ui/clock.js';
import { ownTimeZone } from '../ui/time-zones.js';
import { comparedFrom } from './comparison.js';
import { presetOf, resolveRange, type Range, type RangeSearch } from './range.js';

const FIRST_VISITS = { ...summariesQuery, refetchInterval: false as const };

export interface ShownRange extends Range {
  /** The project's, in which days begin. */
  projectZone: string;
  /** In which times are shown. */
  timeZone: string;
  /** When what it is compared with starts; undefined: right before it; "none": it is compared with nothing. */
  compareFrom?: string | undefined;
}

/** The range that an address means at present, and the zone to show it in. */
export function useRange(projectId: string, search: RangeSearch): ShownRange {
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  // When the first visit was, is asked only for the range that begins there.
  const [summaries] = useSuspenseQueries({
    queries: (presetOf(search) === 'all' ? [FIRST_VISITS] : []) as (typeof FIRST_VISITS)[],
  });
  const firstVisitAt = summaries?.data.find(({ project_id: id }) => id === projectId)?.first_visit_at ?? null;
  const projectZone = project.time_zone;
  const { from, to } = resolveRange(search, { now: useClock(), timeZone: projectZone, firstVisitAt });
  const timeZone = search.zone === 'browser' ? ownTimeZone() : projectZone;
  const compareFrom = comparedFrom(search, { from, to }, projectZone);
  return useMemo(
    () => ({ from, to, projectZone, timeZone, compareFrom }),
    [from, to, projectZone, timeZone, compareFrom],
  );
}
