import { addDays, addMonths } from './zoned-day.js';

/** Returns ranges of days that the range picker doesn't offer itself. @param today Such as "2026-11-21". */
export function getDayPresets(today: string): { label: string; value: [first: string, last: string] }[] {
  const month = `${today.slice(0, 7)}-01`;
  const year = `${today.slice(0, 4)}-01-01`;
  return [
    { label: 'Last 14 days', value: [addDays(today, -13), today] },
    { label: 'Last 60 days', value: [addDays(today, -59), today] },
    { label: 'This month', value: [month, today] },
    { label: 'Last month', value: [addMonths(month, -1), addDays(month, -1)] },
    { label: 'This year', value: [year, today] },
    { label: 'Last year', value: [addMonths(year, -12), addDays(year, -1)] },
  ];
}
