import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  ProjectReport,
  Report,
  ReportFigure,
  ReportPeriod,
  ReportRecipient,
  ReportSchedule,
  ReportSection,
} from '#libs/contracts';
import { client, data } from './client.js';

export type { ProjectReport, Report, ReportFigure, ReportPeriod, ReportRecipient, ReportSchedule, ReportSection };

/** Start and end of a custom period. */
export interface ReportRange {
  from: string;
  to: string;
}

const SENDING_INTERVAL_MS = 1_000;

/** Query key prefix for a project's reports. */
export const projectReportKey = (id: string) => ['projects', id, 'report'] as const;

/**
 * Query for a project's report, with its schedule and recipients. Refetches while the report is being sent.
 *
 * @param period Default: the schedule's.
 */
export const projectReportQuery = (id: string, period: { period?: ReportPeriod } & Partial<ReportRange>) =>
  queryOptions({
    queryKey: [...projectReportKey(id), period],
    queryFn: () => data(client.GET('/api/projects/{id}/report', { params: { path: { id }, query: period } })),
    refetchInterval: ({ state }) =>
      state.data?.recipients.some(({ delivery }) => delivery?.state === 'sending') ? SENDING_INTERVAL_MS : false,
    placeholderData: keepPreviousData,
  });
