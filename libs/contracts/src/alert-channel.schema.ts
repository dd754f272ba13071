import { Type, type Static } from 'typebox';
import { EMAIL_PATTERN, WEBHOOK_URL_PATTERN } from './patterns.js';
import { Name } from './text.schema.js';

export const ALERT_CHANNEL_KINDS = ['email', 'webhook', 'slack', 'discord'] as const;
export type AlertChannelKind = (typeof ALERT_CHANNEL_KINDS)[number];

/** Maximum number of channels per project. */
export const MAX_ALERT_CHANNELS = 10;
/** Maximum number of deliveries in a listing. Older deliveries are not listed. */
export const MAX_ALERT_DELIVERIES = 100;
/** Number of hours after a rotation during which webhooks are also signed with the previous secret. */
export const FORMER_SECRET_HOURS = 24;

const Time = Type.String({ format: 'date-time' });
const nullable = <T>(type: string, extra: object = {}) => Type.Unsafe<T | null>({ type: [type, 'null'], ...extra });

const Url = Type.String({
  minLength: 1,
  maxLength: 2_000,
  pattern: WEBHOOK_URL_PATTERN,
  description:
    'Destination URL. Not used for `email`. For `slack` and `discord`, the URL is a secret and is never shown again.',
});
const Addresses = Type.Array(Type.String({ minLength: 3, maxLength: 254, pattern: EMAIL_PATTERN }), {
  minItems: 1,
  maxItems: 10,
  uniqueItems: true,
  description: "Recipients' email addresses. Used only for `email`.",
});

const KindSchema = Type.Unsafe<AlertChannelKind>({
  type: 'string',
  enum: [...ALERT_CHANNEL_KINDS],
  description:
    '`webhook` follows the Standard Webhooks 1.0 specification. `slack` also works with Mattermost and other Slack-compatible services.',
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
      description: 'Delivery ID, sent as the `webhook-id` header with every webhook attempt',
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
    error: nullable<string>('string', { description: 'Error from the last attempt' }),
  },
  { $id: 'AlertDelivery' },
);
export const AlertDeliveryListSchema = Type.Object(
  {
    deliveries: Type.Array(AlertDeliverySchema, {
      description: `The ${MAX_ALERT_DELIVERIES} most recent deliveries, newest first`,
    }),
  },
  { $id: 'AlertDeliveryList' },
);

export const AlertChannelSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    kind: KindSchema,
    name: Type.String(),
    target: Type.String({ description: 'Destination, with secrets removed' }),
    pending_addresses: Type.Array(Type.String(), {
      description: "Recipients who haven't confirmed their address or have unsubscribed. They don't receive any email.",
    }),
    is_enabled: Type.Boolean(),
    disabled_reason: nullable<string>('string', {
      description: "Reason the channel was disabled automatically. Null if it wasn't.",
    }),
    created_at: Time,
    former_secret_until: nullable<string>('string', {
      format: 'date-time',
      description:
        'Time until which webhooks are also signed with the previous secret. Null if the previous secret is no longer used.',
    }),
  },
  { $id: 'AlertChannel' },
);
export const AlertChannelListSchema = Type.Object(
  {
    channels: Type.Array(AlertChannelSchema, { description: 'Channels, oldest first' }),
    can_send_mail: Type.Boolean({ description: 'Whether a mail server is configured for this instance' }),
  },
  { $id: 'AlertChannelList' },
);

export const NewAttemptSchema = Type.Object({}, { $id: 'NewAttempt', additionalProperties: false });
export const NewWebhookSecretSchema = Type.Object({}, { $id: 'NewWebhookSecret', additionalProperties: false });

export const WebhookSecretSchema = Type.Object(
  {
    secret: Type.String({
      description: 'Signing secret in the Standard Webhooks format: `whsec_` followed by the Base64-encoded key',
    }),
  },
  { $id: 'WebhookSecret' },
);

export type AlertChannel = Static<typeof AlertChannelSchema>;
export type NewAlertChannel = Static<typeof NewAlertChannelSchema>;
export type AlertDelivery = Static<typeof AlertDeliverySchema>;
