import { Type, type Static } from 'typebox';
import { AGENT_TYPES, type AgentType } from './agent-type.js';
import { ALERT_KIND_NAMES, SENSITIVITIES, type AlertKind, type SensitivitySettings } from './alert-kinds.js';
import { MAX_ALERT_CHANNELS } from './alert-channel.schema.js';
import { openEnum } from './open-enum.js';
import { SingleLine } from './text.schema.js';

/** Maximum number of alerts per project. */
export const MAX_ALERTS = 50;
/** Maximum number of events in a listing. Older events are not listed. */
export const MAX_ALERT_EVENTS = 200;
/** Minutes for which the deletion of an alert can be undone. */
export const ALERT_RESTORE_MINUTES = 60;
/** Days covered by an alert's preview and daily event counts. */
export const ALERT_PREVIEW_DAYS = 30;
/** Window lengths in minutes. They are multiples of 15 because visits are counted per quarter hour. */
const WINDOWS = [15, 30, 60, 120, 360, 720, 1_440];
const MAX_PERIOD_MINUTES = 10_080;
const MAX_THRESHOLD = 1_000_000_000;

const Time = Type.String({ format: 'date-time' });
const nullable = <T>(type: string, extra: object = {}) => Type.Unsafe<T | null>({ type: [type, 'null'], ...extra });
const minutes = (description: string) =>
  Type.Integer({ minimum: 0, maximum: MAX_PERIOD_MINUTES, multipleOf: 15, description });

const KindSchema = Type.Unsafe<AlertKind>({ type: 'string', enum: ALERT_KIND_NAMES, description: 'Kind of alert' });

const scope = {
  agent_id: nullable<string>('string', {
    format: 'uuid',
    description: 'ID of the agent that the alert is limited to. Null means all agents.',
  }),
  agent_type: nullable<AgentType>('string', {
    enum: [...AGENT_TYPES, null],
    description: 'Agent type that the alert is limited to. Null means all types.',
  }),
  operator: Type.Unsafe<string | null>({
    anyOf: [SingleLine({ minLength: 1, maxLength: 200 }), { type: 'null' }],
    description: 'Operator that the alert is limited to. Null means all operators.',
  }),
};

const settings = {
  ...scope,
  threshold: Type.Number({
    minimum: 0,
    maximum: MAX_THRESHOLD,
    description: 'Threshold for the alert condition. Its unit depends on the kind of alert.',
  }),
  minimum: Type.Integer({
    minimum: 0,
    maximum: MAX_THRESHOLD,
    description:
      'Minimum count required for the alert to fire. `minimum_of` of the alert kind describes what is counted.',
  }),
  window_minutes: Type.Unsafe<number>({
    type: 'integer',
    enum: WINDOWS,
    description: 'Length of the evaluated time window, in minutes',
  }),
  cooldown_minutes: minutes(
    'Minimum time before the alert can fire again for the same agent or host, in minutes. Alerts with the test `count` fire again earlier if the value is at least twice as high as when they last fired.',
  ),
  recovery_minutes: minutes('How long the condition must stay unmet before the alert recovers, in minutes'),
  channel_ids: Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string', format: 'uuid' },
    minItems: 1,
    maxItems: MAX_ALERT_CHANNELS,
    uniqueItems: true,
    description: "IDs of the project's channels to notify. Null means all channels.",
  }),
  is_enabled: Type.Boolean(),
  muted_until: nullable<string>('string', {
    format: 'date-time',
    description:
      "Time until which no new notifications are sent. Events are still recorded. Null if the alert isn't muted.",
  }),
};

const optional = Type.Partial(Type.Object(settings)).properties;

/** New alert. Omitted settings use the alert kind's defaults. */
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
  subject: nullable<string>('string', {
    description: 'Agent ID or host that the event concerns. Null if the event concerns the alert as a whole.',
  }),
  subject_name: nullable<string>('string', { description: 'Agent token or host' }),
  fired_at: Time,
  recovered_at: nullable<string>('string', {
    format: 'date-time',
    description: 'Time at which the alert recovered. Null while the alert is still firing.',
  }),
  value: Type.Number({ description: 'Value measured when the alert fired' }),
  usual: nullable<number>('number', {
    description: 'Usual value, taken from the baseline. Null if this kind of alert has no baseline.',
  }),
  text: Type.String({ description: 'Human-readable description of the event' }),
};

export const AlertEventSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    alert_id: Type.String({ format: 'uuid' }),
    kind: openEnum<string>(ALERT_KIND_NAMES, 'Kind of alert'),
    ...event,
    path: Type.String({
      description: 'Path of the dashboard page that shows why the alert fired, with range and filters',
    }),
  },
  { $id: 'AlertEvent' },
);
export const AlertEventListSchema = Type.Object(
  { events: Type.Array(AlertEventSchema, { description: `The ${MAX_ALERT_EVENTS} most recent events, newest first` }) },
  { $id: 'AlertEventList' },
);

export const AlertSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    kind: KindSchema,
    ...settings,
    agent_token: nullable<string>('string', { description: 'Token of the agent that the alert is limited to' }),
    state: Type.Unsafe<'ok' | 'firing' | 'off'>({ type: 'string', enum: ['ok', 'firing', 'off'] }),
    last_fired_at: nullable<string>('string', { format: 'date-time' }),
    checked_since: Type.String({
      format: 'date-time',
      description:
        'Time when the alert was added, turned on, or limited to another agent, type or operator. Its first check covers the quarter hour that contains this time.',
    }),
    daily_events: Type.Array(Type.Integer({ minimum: 0 }), {
      description: `Number of events on each of the last ${ALERT_PREVIEW_DAYS} days in the project's time zone, oldest first`,
    }),
  },
  { $id: 'Alert' },
);

const SensitivitySchema = Type.Object({ threshold: Type.Number(), minimum: Type.Integer() });

const AlertKindInfoSchema = Type.Object(
  {
    kind: KindSchema,
    label: Type.String(),
    sentence: Type.String(),
    test: Type.String({ description: 'How the measured value is compared with the threshold' }),
    scoped_label: nullable<string>('string', {
      description:
        'Name of an alert that is limited to an agent, type or operator, which replaces `{scope}`. Null if it cannot be limited.',
    }),
    minimum_of: nullable<string>('string', {
      description: 'Quantity that `minimum` applies to. Null if this kind of alert has no minimum.',
    }),
    defaults: Type.Object({
      threshold: Type.Number(),
      minimum: Type.Integer(),
      window_minutes: Type.Integer(),
      cooldown_minutes: Type.Integer(),
      recovery_minutes: Type.Integer(),
    }),
    sensitivities: Type.Unsafe<SensitivitySettings | null>({
      type: ['object', 'null'],
      properties: Object.fromEntries(SENSITIVITIES.map((name) => [name, SensitivitySchema])),
      required: [...SENSITIVITIES],
      description: 'Settings for each sensitivity. Null if this kind of alert fires at the first occurrence.',
    }),
  },
  { $id: 'AlertKind' },
);

export const AlertListSchema = Type.Object(
  {
    alerts: Type.Array(AlertSchema),
    kinds: Type.Array(AlertKindInfoSchema),
    evaluated_until: nullable<string>('string', {
      format: 'date-time',
      description: 'Time up to which visits have been evaluated',
    }),
  },
  { $id: 'AlertList' },
);

export const AlertPreviewSchema = Type.Object(
  {
    from: Time,
    to: Time,
    chart: Type.Array(
      Type.Object({
        time: Time,
        value: Type.Number({ description: 'Value closest to firing in the period' }),
        boundary: nullable<number>('number', {
          description: 'Value from which the alert fires. Null if there were too few visits.',
        }),
      }),
      { description: 'Measured values in periods of six hours. Empty if this kind of alert measures no value.' },
    ),
    events: Type.Array(Type.Object(event), { description: 'Events that the alert would have triggered, newest first' }),
  },
  { $id: 'AlertPreview' },
);

export type NewAlert = Static<typeof NewAlertSchema>;
export type AlertChange = Static<typeof AlertChangeSchema>;
export type Alert = Static<typeof AlertSchema>;
export type AlertEvent = Static<typeof AlertEventSchema>;
export type AlertList = Static<typeof AlertListSchema>;
export type AlertPreview = Static<typeof AlertPreviewSchema>;
