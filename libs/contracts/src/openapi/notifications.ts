import { NotificationListSchema, ReadNotificationsSchema } from '../notification.schema.js';
import { operation } from './operation.js';
import { BODY } from './parameters.js';

const TAG = 'Own account';

export const listNotifications = operation({
  method: 'get',
  path: '/api/account/notifications',
  id: 'listNotifications',
  access: 'session',
  tag: TAG,
  summary: 'List alerts that fired in your projects, and how many of them you have not read',
  answer: NotificationListSchema,
});

export const readNotifications = operation({
  method: 'post',
  path: '/api/account/notifications/read',
  id: 'readNotifications',
  access: 'session',
  audit: 'nothing',
  tag: TAG,
  summary: 'Mark notifications as read',
  body: ReadNotificationsSchema,
  status: 204,
  problems: BODY,
});

export const NOTIFICATION_OPERATIONS = [listNotifications, readNotifications];
