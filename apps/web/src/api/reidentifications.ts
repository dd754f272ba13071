import { queryOptions } from '@tanstack/react-query';
import { client, data } from './client.js';
import type { Reidentification, ReidentificationChange, ReidentificationReport } from '#libs/contracts';

export type { Reidentification, ReidentificationReport };

export type ReidentifiedChange = ReidentificationReport['changes'][number];
export type ReidentificationAction = ReidentificationChange['action'];

const POLL_INTERVAL_MS = 2_000;

export const isRunning = ({ state }: Reidentification): boolean => state === 'previewing' || state === 'applying';

export const reidentificationsQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id, 'reidentifications'],
    queryFn: () => data(client.GET('/api/projects/{id}/reidentifications', { params: { path: { id } } })),
    refetchInterval: ({ state }) => (state.data?.reidentifications.some(isRunning) ? POLL_INTERVAL_MS : false),
  });

/**
 * Starts a preview.
 *
 * @param range Start and end times in ISO 8601, and optionally an agent.
 */
export const previewReidentification = (id: string, range: { from: string; to: string; agent?: string }) =>
  data(client.POST('/api/projects/{id}/reidentifications', { params: { path: { id } }, body: range }));

export const changeReidentification = (id: string, reidentificationId: string, action: ReidentificationAction) =>
  data(
    client.PATCH('/api/projects/{id}/reidentifications/{reidentificationId}', {
      params: { path: { id, reidentificationId } },
      body: { action },
    }),
  );
