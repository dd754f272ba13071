import { formatted } from '../format/time.js';

const DATE = { day: 'numeric', month: 'long', year: 'numeric' } as const;

/** A row of a list: a visit, by its index, or before it the day that begins with it. */
interface DatedRow {
  visit: number;
  day?: string;
}

/** The rows of a list that is in order of time. @param timeZone whose days have rows of their own; null for none. */
export function withDays(visits: readonly { occurred_at: string }[], timeZone: string | null): DatedRow[] {
  let last = '';
  return visits.flatMap(({ occurred_at: time }, visit): DatedRow[] => {
    if (timeZone === null) return [{ visit }];
    // Not as one format: whether it has a comma depends on the browser.
    const day = `${formatted(time, timeZone, { weekday: 'long' })}, ${formatted(time, timeZone, DATE)}`;
    if (day === last) return [{ visit }];
    last = day;
    return [{ visit, day }, { visit }];
  });
}
