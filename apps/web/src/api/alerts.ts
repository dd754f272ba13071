import { queryOptions } from '@tanstack/react-query';
import { client, data } from './client.js';
import type {
  Alert,
  AlertChannel,
  AlertDelivery,
  AlertEvent,
  AlertList,
  NewAlert,
  NewAlertChannel,
} from '#libs/contracts';

export type { Alert, AlertChannel, AlertDelivery, AlertEvent, NewAlert, NewAlertChannel };

export type AlertKind = AlertList['kinds'][number];

const REFRESH_INTERVAL_MS = 30_000;
const pathOf = (id: string) => ({ params: { path: { id } } });

/** Prefix of the query keys of a project's alerts and channels. */
export const alertsKey = (id: string) => ['projects', id, 'alerts'] as const;

export const alertsQuery = (id: string) =>
  queryOptions({
    queryKey: [...alertsKey(id), 'list'],
    queryFn: () => data(client.GET('/api/projects/{id}/alerts', pathOf(id))),
    refetchInterval: REFRESH_INTERVAL_MS,
  });

export const alertEventsQuery = (id: string) =>
  queryOptions({
    queryKey: [...alertsKey(id), 'events'],
    queryFn: async () => (await data(client.GET('/api/projects/{id}/alert-events', pathOf(id)))).events,
    refetchInterval: REFRESH_INTERVAL_MS,
  });

export const alertChannelsQuery = (id: string) =>
  queryOptions({
    queryKey: [...alertsKey(id), 'channels'],
    queryFn: () => data(client.GET('/api/projects/{id}/alert-channels', pathOf(id))),
  });

export const alertDeliveriesQuery = (id: string) =>
  queryOptions({
    queryKey: [...alertsKey(id), 'deliveries'],
    queryFn: async () => (await data(client.GET('/api/projects/{id}/alert-deliveries', pathOf(id)))).deliveries,
    refetchInterval: REFRESH_INTERVAL_MS,
  });

/** Separate from {@link alertsKey}, so saving an alert doesn't wait for previews. They read a month of visits. */
export const alertPreviewsKey = (id: string) => ['projects', id, 'alert-previews'] as const;

/** Returns when an alert with these settings would have fired. */
export const alertPreviewQuery = (id: string, alert: NewAlert) =>
  queryOptions({
    queryKey: [...alertPreviewsKey(id), alert],
    queryFn: () => data(client.POST('/api/projects/{id}/alerts/preview', { ...pathOf(id), body: alert })),
    staleTime: 60_000,
  });
