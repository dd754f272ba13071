import { formatTime } from '../format/time.js';

const DATE_FORMAT = { day: 'numeric', month: 'long', year: 'numeric' } as const;

/**
 * Row in the list. If `day` is set, the row is the heading above the visit at index `visit`. Otherwise, it's the visit
 * itself.
 */
interface ListRow {
  visit: number;
  day?: string;
}

/**
 * Adds day headings to visits sorted by time.
 * @param timeZone Time zone that determines the days, or null for no headings.
 */
export function addDayHeadings(visits: readonly { occurred_at: string }[], timeZone: string | null): ListRow[] {
  let lastDay = '';
  return visits.flatMap(({ occurred_at: time }, visit): ListRow[] => {
    if (timeZone === null) return [{ visit }];
    // Format the date in two parts, because browsers disagree on the comma between them.
    const day = `${formatTime(time, timeZone, { weekday: 'long' })}, ${formatTime(time, timeZone, DATE_FORMAT)}`;
    if (day === lastDay) return [{ visit }];
    lastDay = day;
    return [{ visit, day }, { visit }];
  });
}
