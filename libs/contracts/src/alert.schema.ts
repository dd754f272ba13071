import { Type, type Static } from 'typebox';
import { AGENT_TYPES, type AgentType } from './agent-type.js';
import { ALERT_KIND_NAMES, type AlertKind } from './alert-kinds.js';
import { MAX_ALERT_CHANNELS } from './alert-channel.schema.js';
import { openEnum } from './open-enum.js';
import { SingleLine } from './text.schema.js';

/** Alerts of a project, at most. */
export const MAX_ALERTS = 50;
/** Events that are listed, newest first. */
export const MAX_ALERT_EVENTS = 200;
/** Days that a preview covers, and that are listed of each alert. */
export const ALERT_PREVIEW_DAYS = 30;
/** Lengths of a window, in minutes: whole quarters of an hour, by which visits are counted. */
const WINDOWS = [15, 30, 60, 120, 360, 720, 1_440];
const MAX_PERIOD_MINUTES = 10_080;
const MAX_THRESHOLD = 1_000_000_000;

const Time = Type.String({ format: 'date-time' });
const nullable = <T>(type: string, extra: object = {}) => Type.Unsafe<T | null>({ type: [type, 'null'], ...extra });
const minutes = (description: string) =>
  Type.Integer({ minimum: 0, maximum: MAX_PERIOD_MINUTES, multipleOf: 15, description });

const KindSchema = Type.Unsafe<AlertKind>({ type: 'string', enum: ALERT_KIND_NAMES, description: 'What it tells' });

const scope = {
  agent_id: nullable<string>('string', { format: 'uuid', description: 'Of this agent alone' }),
  agent_type: nullable<AgentType>('string', {
    enum: [...AGENT_TYPES, null],
    description: 'Of agents of this type alone',
  }),
  operator: Type.Unsafe<string | null>({
    anyOf: [SingleLine({ minLength: 1, maxLength: 200 }), { type: 'null' }],
    description: "Of this operator's agents alone",
  }),
};

const settings = {
  ...scope,
  threshold: Type.Number({
    minimum: 0,
    maximum: MAX_THRESHOLD,
    description: 'What its condition compares with; the kind says of what',
  }),
  minimum: Type.Integer({ minimum: 0, maximum: MAX_THRESHOLD, description: 'With less it never fires' }),
  window_minutes: Type.Unsafe<number>({
    type: 'integer',
    enum: WINDOWS,
    description: 'Minutes that are looked at: whole quarters of an hour',
  }),
  cooldown_minutes: minutes('It fires again for the same agent or host after this time at the earliest'),
  recovery_minutes: minutes('It recovers once its condition has not been met for this time'),
  channel_ids: Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string', format: 'uuid' },
    minItems: 1,
    maxItems: MAX_ALERT_CHANNELS,
    uniqueItems: true,
    description: 'The channels of the project that it goes to; null: all',
  }),
  is_enabled: Type.Boolean(),
  muted_until: nullable<string>('string', {
    format: 'date-time',
    description: 'Until then nothing new is sent; it is in the history all the same',
  }),
};

const optional = Type.Partial(Type.Object(settings)).properties;

/** What is not given is the default of the kind. */
export const NewAlertSchema = Type.Object(
  { kind: KindSchema, ...optional },
  { $id: 'NewAlert', additionalProperties: false },
);
export const AlertChangeSchema = Type.Object(optional, {
  $id: 'AlertChange',
  additionalProperties: false,
  minProperties: 1,
});

const event = {
  subject: nullable<string>('string', { description: 'Id of the agent, or the host; null where it is about all' }),
  subject_name: nullable<string>('string', { description: 'Token of the agent, or the host' }),
  fired_at: Time,
  recovered_at: nullable<string>('string', { format: 'date-time', description: 'Null while it lasts' }),
  value: Type.Number({ description: 'What was counted when it fired' }),
  usual: nullable<number>('number', { description: 'What is usual by the baseline' }),
  text: Type.String({ description: 'What happened, for people' }),
};

export const AlertEventSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    alert_id: Type.String({ format: 'uuid' }),
    kind: openEnum<string>(ALERT_KIND_NAMES, 'What it tells'),
    ...event,
  },
  { $id: 'AlertEvent' },
);
export const AlertEventListSchema = Type.Object(
  { events: Type.Array(AlertEventSchema, { description: `Newest first, ${MAX_ALERT_EVENTS} at most` }) },
  { $id: 'AlertEventList' },
);

export const AlertSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    kind: KindSchema,
    ...settings,
    agent_token: nullable<string>('string', { description: 'Token of the agent that it is about' }),
    state: Type.Unsafe<'ok' | 'firing' | 'off'>({ type: 'string', enum: ['ok', 'firing', 'off'] }),
    last_fired_at: nullable<string>('string', { format: 'date-time' }),
    daily_events: Type.Array(Type.Integer({ minimum: 0 }), {
      description: `How often it fired on each of the last ${ALERT_PREVIEW_DAYS} days (UTC), the oldest first`,
    }),
  },
  { $id: 'Alert' },
);

const AlertKindInfoSchema = Type.Object(
  {
    kind: KindSchema,
    label: Type.String(),
    sentence: Type.String(),
    test: Type.String({ description: 'How the threshold is meant' }),
    is_scoped: Type.Boolean({ description: 'Whether it can be about an agent, a type or an operator alone' }),
    minimum_of: nullable<string>('string', { description: 'Of what `minimum` is the least; null: of nothing' }),
    defaults: Type.Object({
      threshold: Type.Number(),
      minimum: Type.Integer(),
      window_minutes: Type.Integer(),
      cooldown_minutes: Type.Integer(),
      recovery_minutes: Type.Integer(),
    }),
  },
  { $id: 'AlertKind' },
);

export const AlertListSchema = Type.Object(
  {
    alerts: Type.Array(AlertSchema),
    kinds: Type.Array(AlertKindInfoSchema),
    evaluated_until: nullable<string>('string', { format: 'date-time', description: 'How far visits were looked at' }),
  },
  { $id: 'AlertList' },
);

export const AlertPreviewSchema = Type.Object(
  {
    from: Time,
    to: Time,
    events: Type.Array(Type.Object(event), { description: 'How it would have fired, newest first' }),
  },
  { $id: 'AlertPreview' },
);

export type NewAlert = Static<typeof NewAlertSchema>;
export type AlertChange = Static<typeof AlertChangeSchema>;
export type Alert = Static<typeof AlertSchema>;
export type AlertEvent = Static<typeof AlertEventSchema>;
export type AlertList = Static<typeof AlertListSchema>;
export type AlertPreview = Static<typeof AlertPreviewSchema>;
