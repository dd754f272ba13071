import { Type, type Static } from 'typebox';
import { ALERT_KIND_NAMES } from './alert-kinds.js';
import { openEnum } from './open-enum.js';

/** Maximum number of notifications in a listing, and of IDs in one request to mark them as read. */
export const MAX_NOTIFICATIONS = 50;
/** Days for which notifications are listed and counted. */
export const NOTIFICATION_DAYS = 30;
/** Days after which an event that is over counts as read. */
export const UNREAD_NOTIFICATION_DAYS = 3;
/** Maximum count of unread notifications. Higher counts are reported as this number. */
export const MAX_UNREAD_NOTIFICATIONS = 100;

export const NotificationListSchema = Type.Object(
  {
    unread: Type.Integer({
      minimum: 0,
      maximum: MAX_UNREAD_NOTIFICATIONS,
      description: `Number of unread notifications. ${MAX_UNREAD_NOTIFICATIONS} means ${MAX_UNREAD_NOTIFICATIONS} or more.`,
    }),
    notifications: Type.Array(
      Type.Object({
        id: Type.String({ format: 'uuid', description: 'ID of the alert event' }),
        project: Type.Object({ id: Type.String({ format: 'uuid' }), name: Type.String() }),
        kind: openEnum<string>(ALERT_KIND_NAMES, 'Kind of alert'),
        label: Type.String({ description: 'Name of the kind of alert' }),
        text: Type.String({ description: 'Human-readable description of the event' }),
        path: Type.String({ description: 'Path of the dashboard page with the evidence, including its filters' }),
        fired_at: Type.String({ format: 'date-time' }),
        is_firing: Type.Boolean({ description: 'Whether the alert is still firing' }),
        is_read: Type.Boolean({
          description: `Also true for events of muted alerts, from before you joined the project, and from more than ${UNREAD_NOTIFICATION_DAYS} days ago unless the alert is still firing`,
        }),
      }),
      { description: `The ${MAX_NOTIFICATIONS} most recent notifications of the last ${NOTIFICATION_DAYS} days` },
    ),
  },
  { $id: 'NotificationList' },
);

export const ReadNotificationsSchema = Type.Object(
  {
    ids: Type.Optional(
      Type.Array(Type.String({ format: 'uuid' }), {
        maxItems: MAX_NOTIFICATIONS,
        description: 'IDs of the notifications to mark as read. Default: all.',
      }),
    ),
  },
  { $id: 'ReadNotifications', additionalProperties: false },
);

export type NotificationList = Static<typeof NotificationListSchema>;
