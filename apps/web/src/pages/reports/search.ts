import type { ReportPeriod } from '../../api/reports.js';

/** Periods of reports with their names. */
export const PERIOD_LABELS: Readonly<Record<ReportPeriod, string>> = {
  last_week: 'Last week',
  last_month: 'Last month',
  last_30_days: 'Last 30 days',
};

interface ReportsSearch {
  /** Absent for the schedule's period. */
  period?: ReportPeriod;
}

const isPeriod = (value: unknown): value is ReportPeriod =>
  typeof value === 'string' && Object.hasOwn(PERIOD_LABELS, value);

/** Parses the URL search parameters and ignores invalid ones. */
export const parseReportsSearch = ({ period }: Record<string, unknown>): ReportsSearch =>
  isPeriod(period) ? { period } : {};
