import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { client, data } from './client.js';
import type { AuditEntry } from '#libs/contracts';
import { addDays, startOfDay } from '../range/zoned-day.js';

export type { AuditEntry };

export type AuditSubject = AuditEntry['subject']['type'];
export type AuditChange = AuditEntry['change'];

export interface AuditFilters {
  actor?: string;
  subject?: AuditSubject;
  change?: AuditChange;
  /** First day, such as 2026-11-24, in the log's time zone. Both `from` and `to` are inclusive. */
  from?: string;
  to?: string;
}

/** First and last day, such as "2026-11-21". Either can be omitted in links. */
export type Days = Pick<AuditFilters, 'from' | 'to'>;

/** @param projectId Project ID, or undefined for the instance-wide log. */
export const auditQuery = (projectId: string | undefined, filters: AuditFilters, timeZone: string) =>
  infiniteQueryOptions({
    queryKey: ['audit', projectId, filters, timeZone],
    queryFn: ({ pageParam }) => {
      const query = { ...toQueryParameters(filters, timeZone), ...(pageParam !== null && { cursor: pageParam }) };
      return data(
        projectId === undefined
          ? client.GET('/api/audit-entries', { params: { query } })
          : client.GET('/api/projects/{id}/audit-entries', { params: { path: { id: projectId }, query } }),
      );
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: cursor }) => cursor,
    placeholderData: keepPreviousData,
  });

/** Returns the URL that exports the matching entries as CSV. */
export function auditExportUrl(projectId: string | undefined, filters: AuditFilters, timeZone: string): string {
  const { subject, change, ...textParameters } = toQueryParameters(filters, timeZone);
  const query = new URLSearchParams(textParameters);
  for (const value of subject ?? []) query.append('subject', value);
  for (const value of change ?? []) query.append('change', value);
  const owner = projectId === undefined ? '' : `/projects/${projectId}`;
  return `/api${owner}/audit-entries/export?${query}`;
}

function toQueryParameters({ actor, subject, change, from, to }: AuditFilters, timeZone: string) {
  return {
    ...(actor !== undefined && { actor }),
    ...(subject !== undefined && { subject: [subject] }),
    ...(change !== undefined && { change: [change] }),
    ...(from !== undefined && { from: startOfDay(from, timeZone) }),
    ...(to !== undefined && { to: startOfDay(addDays(to, 1), timeZone) }),
  };
}
