import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { client, data } from './client.js';
import type { AuditEntry } from '#libs/contracts';

export type { AuditEntry };

export type AuditSubject = AuditEntry['subject']['type'];
export type AuditChange = AuditEntry['change'];

export interface AuditFilters {
  actor?: string;
  subject?: AuditSubject;
  change?: AuditChange;
  /** UTC days. Both are inclusive. */
  from?: string;
  to?: string;
}

/** @param projectId undefined for the log of the instance. */
export const auditQuery = (projectId: string | undefined, filters: AuditFilters) =>
  infiniteQueryOptions({
    queryKey: ['audit', projectId, filters],
    queryFn: ({ pageParam }) => {
      const query = { ...parametersOf(filters), ...(pageParam !== null && { cursor: pageParam }) };
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

/** Returns the URL of an export with the same filters. */
export function auditExportAddress(projectId: string | undefined, filters: AuditFilters): string {
  const { subject, change, ...texts } = parametersOf(filters);
  const query = new URLSearchParams(texts);
  for (const value of subject ?? []) query.append('subject', value);
  for (const value of change ?? []) query.append('change', value);
  const owner = projectId === undefined ? '' : `/projects/${projectId}`;
  return `/api${owner}/audit-entries/export?${query}`;
}

const DAY_MS = 86_400_000;

function parametersOf({ actor, subject, change, from, to }: AuditFilters) {
  return {
    ...(actor !== undefined && { actor }),
    ...(subject !== undefined && { subject: [subject] }),
    ...(change !== undefined && { change: [change] }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to: new Date(Date.parse(to) + DAY_MS).toISOString() }),
  };
}
