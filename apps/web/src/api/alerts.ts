import { queryOptions } from '@tanstack/react-query';
import { client, data } from './client.js';
import type {
  Alert,
  AlertChannel,
  AlertDelivery,
  AlertEvent,
  AlertList,
  AlertPreview,
  NewAlert,
  NewAlertChannel,
} from '#libs/contracts';

export type { Alert, AlertChannel, AlertDelivery, AlertEvent, AlertPreview, NewAlert, NewAlertChannel };

export type AlertKind = AlertList['kinds'][number];

const REFRESH_INTERVAL_MS = 30_000;
const toPathParams = (id: string) => ({ params: { path: { id } } });

/** Query key prefix for a project's alerts and channels. */
export const alertsKey = (id: string) => ['projects', id, 'alerts'] as const;

export const alertsQuery = (id: string) =>
  queryOptions({
    queryKey: [...alertsKey(id), 'list'],
    queryFn: () => data(client.GET('/api/projects/{id}/alerts', toPathParams(id))),
    refetchInterval: REFRESH_INTERVAL_MS,
  });

export const alertEventsQuery = (id: string) =>
  queryOptions({
    queryKey: [...alertsKey(id), 'events'],
    queryFn: async () => (await data(client.GET('/api/projects/{id}/alert-events', toPathParams(id)))).events,
    refetchInterval: REFRESH_INTERVAL_MS,
  });

export const alertChannelsQuery = (id: string) =>
  queryOptions({
    queryKey: [...alertsKey(id), 'channels'],
    queryFn: () => data(client.GET('/api/projects/{id}/alert-channels', toPathParams(id))),
  });

export const alertDeliveriesQuery = (id: string) =>
  queryOptions({
    queryKey: [...alertsKey(id), 'deliveries'],
    queryFn: async () => (await data(client.GET('/api/projects/{id}/alert-deliveries', toPathParams(id)))).deliveries,
    refetchInterval: REFRESH_INTERVAL_MS,
  });

/** Separate from {@link alertsKey}, so saving an alert doesn't refetch previews, which scan a month of visits. */
export const alertPreviewsKey = (id: string) => ['projects', id, 'alert-previews'] as const;

/** Query for the times an alert with these settings would have fired. */
export const alertPreviewQuery = (id: string, alert: NewAlert) =>
  queryOptions({
    queryKey: [...alertPreviewsKey(id), alert],
    queryFn: () => data(client.POST('/api/projects/{id}/alerts/preview', { ...toPathParams(id), body: alert })),
    staleTime: 60_000,
    // A preview that timed out would time out again.
    retry: false,
  });
