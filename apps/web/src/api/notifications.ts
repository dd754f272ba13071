import { queryOptions } from '@tanstack/react-query';
import type { NotificationList } from '#libs/contracts';
import { client, data } from './client.js';

export type Notification = NotificationList['notifications'][number];

const REFRESH_INTERVAL_MS = 60_000;

/** Query for the alerts that fired in the user's projects, and how many of them are unread. */
export const notificationsQuery = queryOptions({
  queryKey: ['notifications'],
  queryFn: () => data(client.GET('/api/account/notifications')),
  refetchInterval: REFRESH_INTERVAL_MS,
});
