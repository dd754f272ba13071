import {
  ALERT_PREVIEW_DAYS,
  ALERT_RESTORE_MINUTES,
  AlertChangeSchema,
  AlertEventListSchema,
  AlertListSchema,
  AlertPreviewSchema,
  AlertSchema,
  MAX_ALERTS,
  NewAlertSchema,
} from '../alert.schema.js';
import { NewAttemptSchema } from '../alert-channel.schema.js';
import { operation } from './operation.js';
import { BODY, idParameter, PROJECT } from './parameters.js';

const TAG = 'Alerts';
const ALERT = idParameter('alert');

export const listAlerts = operation({
  method: 'get',
  path: '/api/projects/{id}/alerts',
  id: 'listAlerts',
  access: 'viewer',
  tag: TAG,
  summary: "List a project's alerts and the available kinds",
  params: { id: PROJECT },
  answer: AlertListSchema,
  problems: [404],
});

export const createAlert = operation({
  method: 'post',
  path: '/api/projects/{id}/alerts',
  id: 'createAlert',
  access: 'owner',
  limit: MAX_ALERTS,
  tag: TAG,
  summary: `Add an alert (up to ${MAX_ALERTS} per project)`,
  description:
    "Omitted fields use the defaults for the alert's kind. An alert covers all agents, or a single agent, type or operator.",
  params: { id: PROJECT },
  body: NewAlertSchema,
  status: 201,
  answer: AlertSchema,
  problems: [404, 409, ...BODY],
});

export const changeAlert = operation({
  method: 'patch',
  path: '/api/projects/{id}/alerts/{alertId}',
  id: 'changeAlert',
  access: 'owner',
  tag: TAG,
  summary: 'Update, mute, enable or disable an alert',
  params: { id: PROJECT, alertId: ALERT },
  body: AlertChangeSchema,
  answer: AlertSchema,
  problems: [404, ...BODY],
});

export const deleteAlert = operation({
  method: 'delete',
  path: '/api/projects/{id}/alerts/{alertId}',
  id: 'deleteAlert',
  access: 'owner',
  tag: TAG,
  summary: 'Delete an alert and its history',
  description: `Can be undone for ${ALERT_RESTORE_MINUTES} minutes with \`restoreAlert\`.`,
  params: { id: PROJECT, alertId: ALERT },
  status: 204,
  problems: [404],
});

export const restoreAlert = operation({
  method: 'post',
  path: '/api/projects/{id}/alerts/{alertId}/restoration',
  id: 'restoreAlert',
  access: 'owner',
  tag: TAG,
  summary: `Restore an alert deleted in the last ${ALERT_RESTORE_MINUTES} minutes, with its history`,
  params: { id: PROJECT, alertId: ALERT },
  body: NewAttemptSchema,
  answer: AlertSchema,
  problems: [404, 409, ...BODY],
});

export const previewAlert = operation({
  method: 'post',
  path: '/api/projects/{id}/alerts/preview',
  id: 'previewAlert',
  access: 'viewer',
  onlyReads: true,
  tag: TAG,
  summary: `Preview when an alert would have fired in the last ${ALERT_PREVIEW_DAYS} days`,
  params: { id: PROJECT },
  body: NewAlertSchema,
  answer: AlertPreviewSchema,
  problems: [404, ...BODY, 504],
});

export const listAlertEvents = operation({
  method: 'get',
  path: '/api/projects/{id}/alert-events',
  id: 'listAlertEvents',
  access: 'viewer',
  tag: TAG,
  summary: 'List alert events, including when they fired and recovered',
  params: { id: PROJECT },
  answer: AlertEventListSchema,
  problems: [404],
});

export const ALERT_OPERATIONS = [
  listAlerts,
  createAlert,
  changeAlert,
  deleteAlert,
  restoreAlert,
  previewAlert,
  listAlertEvents,
];
