import { useSuspenseQueries, useSuspenseQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { projectQuery, summariesQuery } from '../api/queries.js';
import { useClock } from '../ui/clock.js';
import { ownTimeZone } from '../ui/time-zones.js';
import { comparedFrom } from './comparison.js';
import { presetOf, resolveRange, type Range, type RangeSearch } from './range.js';

const FIRST_VISITS = { ...summariesQuery, refetchInterval: false as const };

export interface ShownRange extends Range {
  /** Time zone of the project, in which days begin. */
  projectZone: string;
  /** Time zone in which times are shown. */
  timeZone: string;
  /** Start of the comparison range, or "none". Default: the range right before this one. */
  compareFrom?: string | undefined;
}

/** Resolves the range in the URL as of now, and selects the time zone to show it in. */
export function useRange(projectId: string, search: RangeSearch): ShownRange {
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  // Only the preset "all" requires the time of the first visit.
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
