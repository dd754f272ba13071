import {
  AlertChannelChangeSchema,
  AlertChannelListSchema,
  AlertChannelSchema,
  AlertDeliveryListSchema,
  AlertDeliverySchema,
  FORMER_SECRET_HOURS,
  MAX_ALERT_CHANNELS,
  NewAlertChannelSchema,
  NewAttemptSchema,
  NewWebhookSecretSchema,
  WebhookSecretSchema,
} from '../alert-channel.schema.js';
import { operation } from './operation.js';
import { BODY, idParameter, PROJECT } from './parameters.js';

const TAG = 'Alerts';
const CHANNEL = { id: PROJECT, channelId: idParameter('channel') };

export const listAlertChannels = operation({
  method: 'get',
  path: '/api/projects/{id}/alert-channels',
  id: 'listAlertChannels',
  access: 'viewer',
  tag: TAG,
  summary: "List a project's alert channels",
  params: { id: PROJECT },
  answer: AlertChannelListSchema,
  problems: [404],
});

export const createAlertChannel = operation({
  method: 'post',
  path: '/api/projects/{id}/alert-channels',
  id: 'createAlertChannel',
  access: 'owner',
  limit: MAX_ALERT_CHANNELS,
  tag: TAG,
  summary: `Add an alert channel (up to ${MAX_ALERT_CHANNELS} per project)`,
  params: { id: PROJECT },
  body: NewAlertChannelSchema,
  status: 201,
  answer: AlertChannelSchema,
  problems: [404, 409, ...BODY],
});

export const changeAlertChannel = operation({
  method: 'patch',
  path: '/api/projects/{id}/alert-channels/{channelId}',
  id: 'changeAlertChannel',
  access: 'owner',
  tag: TAG,
  summary: 'Update, enable or disable an alert channel',
  params: CHANNEL,
  body: AlertChannelChangeSchema,
  answer: AlertChannelSchema,
  problems: [404, ...BODY],
});

export const deleteAlertChannel = operation({
  method: 'delete',
  path: '/api/projects/{id}/alert-channels/{channelId}',
  id: 'deleteAlertChannel',
  access: 'owner',
  tag: TAG,
  summary: 'Delete an alert channel and its deliveries',
  params: CHANNEL,
  status: 204,
  problems: [404],
});

export const testAlertChannel = operation({
  method: 'post',
  path: '/api/projects/{id}/alert-channels/{channelId}/test',
  id: 'testAlertChannel',
  access: 'owner',
  audit: { change: 'done', subject: 'alert_channel', id: 'channelId' },
  tag: TAG,
  summary: 'Send a test message to an alert channel and return the result',
  description: 'The message is sent once, without retries, even if the channel is disabled.',
  params: CHANNEL,
  body: NewAttemptSchema,
  answer: AlertDeliverySchema,
  problems: [404, ...BODY, 429],
});

export const resendMailConfirmations = operation({
  method: 'post',
  path: '/api/projects/{id}/alert-channels/{channelId}/confirmations',
  id: 'resendMailConfirmations',
  access: 'owner',
  audit: { change: 'done', subject: 'alert_channel', id: 'channelId' },
  tag: TAG,
  summary: "Resend the confirmation email to recipients who haven't confirmed their address",
  params: CHANNEL,
  body: NewAttemptSchema,
  status: 204,
  problems: [404, ...BODY, 429],
});

const RECIPIENT = {
  recipient: { description: 'Token from the link in the email', schema: { type: 'string' } },
} as const;

export const showMailRecipient = operation({
  method: 'get',
  path: '/api/mail-recipients/{recipient}',
  id: 'showMailRecipient',
  access: 'public',
  tag: TAG,
  summary: 'Open the page to subscribe to or unsubscribe from alert emails',
  description: "Opening the link doesn't change anything, because mail scanners also follow links.",
  params: RECIPIENT,
  status: 302,
  answerHeaders: { Location: 'Dashboard page' },
});

export const confirmMailRecipient = operation({
  method: 'post',
  path: '/api/mail-recipients/{recipient}/confirmation',
  id: 'confirmMailRecipient',
  access: 'public',
  audit: 'nothing',
  tag: TAG,
  summary: "Confirm a subscription to a project's alert emails",
  params: RECIPIENT,
  body: NewAttemptSchema,
  status: 204,
  problems: [404, ...BODY, 429],
});

export const stopMailRecipient = operation({
  method: 'post',
  path: '/api/mail-recipients/{recipient}',
  id: 'stopMailRecipient',
  access: 'public',
  audit: 'nothing',
  tag: TAG,
  summary: "Unsubscribe from a project's alert emails (supports one-click unsubscribe, RFC 8058)",
  params: RECIPIENT,
  checksBody: 'bytes',
  maxRawBytes: 4_096,
  status: 204,
  problems: [429],
});

export const revealWebhookSecret = operation({
  method: 'get',
  path: '/api/projects/{id}/alert-channels/{channelId}/secret',
  id: 'revealWebhookSecret',
  access: 'owner',
  confirms: true,
  audit: { change: 'revealed', subject: 'alert_channel', id: 'channelId' },
  tag: TAG,
  summary: "Reveal a webhook's signing secret",
  params: CHANNEL,
  answer: WebhookSecretSchema,
  problems: [404],
});

export const rotateWebhookSecret = operation({
  method: 'post',
  path: '/api/projects/{id}/alert-channels/{channelId}/secret',
  id: 'rotateWebhookSecret',
  access: 'owner',
  confirms: true,
  tag: TAG,
  summary: `Rotate a webhook's signing secret (the previous secret is also used for another ${FORMER_SECRET_HOURS} hours)`,
  params: CHANNEL,
  body: NewWebhookSecretSchema,
  answer: WebhookSecretSchema,
  problems: [404, ...BODY],
});

export const listAlertDeliveries = operation({
  method: 'get',
  path: '/api/projects/{id}/alert-deliveries',
  id: 'listAlertDeliveries',
  access: 'viewer',
  tag: TAG,
  summary: "List a project's sent and pending deliveries",
  params: { id: PROJECT },
  answer: AlertDeliveryListSchema,
  problems: [404],
});

export const replayAlertDelivery = operation({
  method: 'post',
  path: '/api/projects/{id}/alert-deliveries/{deliveryId}/replay',
  id: 'replayAlertDelivery',
  access: 'owner',
  tag: TAG,
  summary: 'Resend a delivery with the same ID',
  params: { id: PROJECT, deliveryId: idParameter('delivery') },
  body: NewAttemptSchema,
  answer: AlertDeliverySchema,
  problems: [404, 409, ...BODY, 429],
});

export const ALERT_CHANNEL_OPERATIONS = [
  listAlertChannels,
  createAlertChannel,
  changeAlertChannel,
  deleteAlertChannel,
  testAlertChannel,
  resendMailConfirmations,
  showMailRecipient,
  confirmMailRecipient,
  stopMailRecipient,
  revealWebhookSecret,
  rotateWebhookSecret,
  listAlertDeliveries,
  replayAlertDelivery,
];
