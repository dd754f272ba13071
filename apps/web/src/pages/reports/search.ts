import type { ReportPeriod, ReportRange } from '../../api/reports.js';

/** Periods of reports with their names. */
export const PERIOD_LABELS: Readonly<Record<ReportPeriod, string>> = {
  last_week: 'Last week',
  this_week: 'This week so far',
  last_month: 'Last month',
  last_30_days: 'Last 30 days',
};

/** Period, or start and end of a custom one. Both are absent for the schedule's period. */
export type ReportsSearch = { period?: ReportPeriod } & Partial<ReportRange>;

const isPeriod = (value: unknown): value is ReportPeriod =>
  typeof value === 'string' && Object.hasOwn(PERIOD_LABELS, value);

const isTime = (value: unknown): value is string => typeof value === 'string' && !Number.isNaN(Date.parse(value));

/** Parses the URL search parameters and ignores invalid ones. */
export function parseReportsSearch({ period, from, to }: Record<string, unknown>): ReportsSearch {
  if (isTime(from) && isTime(to)) return { from, to };
  return isPeriod(period) ? { period } : {};
}
