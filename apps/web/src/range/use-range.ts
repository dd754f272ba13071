import { useSuspenseQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { projectQuery } from '../api/queries.js';
import { useClock } from '../ui/clock.js';
import { ownTimeZone } from '../ui/time-zone-select.js';
import { resolveRange, type Range, type RangeSearch } from './range.js';

export interface ShownRange extends Range {
  /** The project's, in which days begin. */
  projectZone: string;
  /** In which times are shown. */
  timeZone: string;
}

/** The range that an address means at present, and the zone to show it in. */
export function useRange(projectId: string, search: RangeSearch): ShownRange {
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const { from, to } = resolveRange(search, useClock());
  const projectZone = project.time_zone;
  const timeZone = search.zone === 'browser' ? ownTimeZone() : projectZone;
  return useMemo(() => ({ from, to, projectZone, timeZone }), [from, to, projectZone, timeZone]);
}
