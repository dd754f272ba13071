import { useSuspenseQueries, useSuspenseQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { projectQuery, summariesQuery } from '../api/queries.js';
import { useClock } from '../ui/use-clock.js';
import { getBrowserTimeZone } from '../ui/time-zones.js';
import { getComparisonStart } from './comparison.js';
import { getPreset, resolveRange, type Range, type RangeSearch } from './range.js';

const firstVisitsQuery = { ...summariesQuery, refetchInterval: false as const };

export interface ShownRange extends Range {
  /** Project time zone, which determines when days start. */
  projectZone: string;
  /** Time zone for displayed times. */
  timeZone: string;
  /** Start of the comparison range, or "none". Default: the range immediately before this one. */
  compareFrom?: string | undefined;
}

/** Resolves the URL's range as of now and selects the time zone to display it in. */
export function useRange(projectId: string, search: RangeSearch): ShownRange {
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  // Only the "all" preset needs the time of the first visit.
  const [summaries] = useSuspenseQueries({
    queries: (getPreset(search) === 'all' ? [firstVisitsQuery] : []) as (typeof firstVisitsQuery)[],
  });
  const firstVisitAt = summaries?.data.find(({ project_id: id }) => id === projectId)?.first_visit_at ?? null;
  const projectZone = project.time_zone;
  const { from, to } = resolveRange(search, { now: useClock(), timeZone: projectZone, firstVisitAt });
  const timeZone = search.zone === 'browser' ? getBrowserTimeZone() : projectZone;
  const compareFrom = getComparisonStart(search, { from, to }, projectZone);
  return useMemo(
    () => ({ from, to, projectZone, timeZone, compareFrom }),
    [from, to, projectZone, timeZone, compareFrom],
  );
}
