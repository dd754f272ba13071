import { Type, type Static } from 'typebox';
import { EMAIL_PATTERN, WEBHOOK_URL_PATTERN } from './patterns.js';
import { Name } from './text.schema.js';

export const ALERT_CHANNEL_KINDS = ['email', 'webhook', 'slack', 'discord'] as const;
export type AlertChannelKind = (typeof ALERT_CHANNEL_KINDS)[number];

/** Maximum number of channels per project. */
export const MAX_ALERT_CHANNELS = 10;
/** Maximum number of listed deliveries, newest first. */
export const MAX_ALERT_DELIVERIES = 100;
/** Hours in which webhooks are also signed with the previous secret. */
export const FORMER_SECRET_HOURS = 24;

const Time = Type.String({ format: 'date-time' });
const nullable = <T>(type: string, extra: object = {}) => Type.Unsafe<T | null>({ type: [type, 'null'], ...extra });

const Url = Type.String({
  minLength: 1,
  maxLength: 2_000,
  pattern: WEBHOOK_URL_PATTERN,
  description:
    'Destination URL. Not used for `email`. For Slack and Discord, the URL is a secret and is never shown again.',
});
const Addresses = Type.Array(Type.String({ minLength: 3, maxLength: 254, pattern: EMAIL_PATTERN }), {
  minItems: 1,
  maxItems: 10,
  uniqueItems: true,
  description: 'Recipients. Only used for `email`.',
});

const KindSchema = Type.Unsafe<AlertChannelKind>({
  type: 'string',
  enum: [...ALERT_CHANNEL_KINDS],
  description:
    '`webhook` follows Standard Webhooks 1.0. `slack` also works with Mattermost and other services that accept its messages.',
});

export const NewAlertChannelSchema = Type.Object(
  { kind: KindSchema, name: Name, url: Type.Optional(Url), addresses: Type.Optional(Addresses) },
  { $id: 'NewAlertChannel', additionalProperties: false },
);
export const AlertChannelChangeSchema = Type.Object(
  {
    name: Type.Optional(Name),
    url: Type.Optional(Url),
    addresses: Type.Optional(Addresses),
    is_enabled: Type.Optional(Type.Boolean()),
  },
  { $id: 'AlertChannelChange', additionalProperties: false, minProperties: 1 },
);

export const AlertDeliverySchema = Type.Object(
  {
    id: Type.String({
      format: 'uuid',
      description: 'Delivery ID, sent as `webhook-id` with every attempt of a webhook',
    }),
    channel_id: Type.String({ format: 'uuid' }),
    type: Type.String({
      description: 'Message type: `alert.fired`, `alert.recovered`, `alert.test` or `channel.disabled`',
    }),
    title: Type.String(),
    state: Type.Unsafe<'waiting' | 'delivered' | 'failed'>({
      type: 'string',
      enum: ['waiting', 'delivered', 'failed'],
    }),
    created_at: Time,
    attempts: Type.Integer({ minimum: 0 }),
    last_attempt_at: nullable<string>('string', { format: 'date-time' }),
    next_attempt_at: nullable<string>('string', { format: 'date-time' }),
    status: nullable<number>('integer', { description: 'HTTP status of the last attempt' }),
    error: nullable<string>('string', { description: 'Error of the last attempt' }),
  },
  { $id: 'AlertDelivery' },
);
export const AlertDeliveryListSchema = Type.Object(
  { deliveries: Type.Array(AlertDeliverySchema, { description: `Newest first, up to ${MAX_ALERT_DELIVERIES}` }) },
  { $id: 'AlertDeliveryList' },
);

export const AlertChannelSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    kind: KindSchema,
    name: Type.String(),
    target: Type.String({ description: 'Destination without secrets' }),
    pending_addresses: Type.Array(Type.String(), {
      description: 'Recipients who have not confirmed or have unsubscribed. They receive no mail.',
    }),
    is_enabled: Type.Boolean(),
    disabled_reason: nullable<string>('string', { description: 'Reason why the channel was turned off automatically' }),
    created_at: Time,
    former_secret_until: nullable<string>('string', {
      format: 'date-time',
      description: 'Time until which webhooks are also signed with the previous secret',
    }),
  },
  { $id: 'AlertChannel' },
);
export const AlertChannelListSchema = Type.Object(
  {
    channels: Type.Array(AlertChannelSchema, { description: 'Oldest first' }),
    can_send_mail: Type.Boolean({ description: 'Whether this instance has a mail server' }),
  },
  { $id: 'AlertChannelList' },
);

export const NewAttemptSchema = Type.Object({}, { $id: 'NewAttempt', additionalProperties: false });
export const NewWebhookSecretSchema = Type.Object({}, { $id: 'NewWebhookSecret', additionalProperties: false });

export const WebhookSecretSchema = Type.Object(
  { secret: Type.String({ description: '`whsec_` followed by the key in Base64 (Standard Webhooks)' }) },
  { $id: 'WebhookSecret' },
);

export type AlertChannel = Static<typeof AlertChannelSchema>;
export type NewAlertChannel = Static<typeof NewAlertChannelSchema>;
export type AlertDelivery = Static<typeof AlertDeliverySchema>;
