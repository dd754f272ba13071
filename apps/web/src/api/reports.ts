import { queryOptions } from '@tanstack/react-query';
import type { ProjectReport, Report, ReportFigure, ReportRecipient, ReportSchedule } from '#libs/contracts';
import { client, data } from './client.js';

export type { ProjectReport, Report, ReportFigure, ReportRecipient, ReportSchedule };

/** Query for a project's report, with its schedule and recipients. */
export const projectReportQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id, 'report'],
    queryFn: () => data(client.GET('/api/projects/{id}/report', { params: { path: { id } } })),
  });
