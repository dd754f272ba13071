import { formatted } from '../format/time.js';

const DATE = { day: 'numeric', month: 'long', year: 'numeric' } as const;

/** List row of the visit with index `visit`. With `day`, it's the heading above that visit instead. */
interface DatedRow {
  visit: number;
  day?: string;
}

/** Adds day headings to visits that are sorted by time. @param timeZone of the days. Null adds no headings. */
export function withDays(visits: readonly { occurred_at: string }[], timeZone: string | null): DatedRow[] {
  let last = '';
  return visits.flatMap(({ occurred_at: time }, visit): DatedRow[] => {
    if (timeZone === null) return [{ visit }];
    // Formatted in two parts, because browsers disagree on the comma.
    const day = `${formatted(time, timeZone, { weekday: 'long' })}, ${formatted(time, timeZone, DATE)}`;
    if (day === last) return [{ visit }];
    last = day;
    return [{ visit, day }, { visit }];
  });
}
