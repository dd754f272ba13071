import { AUDIT_DAYS } from './audit.schema.js';
import { Type, type Static } from 'typebox';

const Time = Type.String({ format: 'date-time' });
const Count = Type.Integer({ minimum: 0 });
const nullable = <T>(type: string, extra: object = {}) => Type.Unsafe<T | null>({ type: [type, 'null'], ...extra });
const nullableTime = (description: string) => nullable<string>('string', { format: 'date-time', description });

export const PROCESS_STATES = ['ok', 'degraded', 'unavailable', 'silent'] as const;
export type ProcessState = (typeof PROCESS_STATES)[number];

/** Seconds without a report after which a process counts as silent. */
export const SILENT_AFTER_SECONDS = 30;

const ProcessSchema = Type.Object({
  id: Type.String({ format: 'uuid' }),
  service: Type.String({ description: 'Which service runs in it; `agent-traffic` is all of them' }),
  host: Type.String(),
  version: Type.String(),
  started_at: Time,
  reported_at: Time,
  seconds_since_report: Type.Number(),
  state: Type.Unsafe<ProcessState>({
    type: 'string',
    enum: [...PROCESS_STATES],
    description: `As its own checks say; \`silent\` after ${SILENT_AFTER_SECONDS} s without a report`,
  }),
  checks: Type.Unsafe<Record<string, string | null>>({
    type: 'object',
    additionalProperties: { type: ['string', 'null'] },
    description: 'What is wrong, by name of the check; null is fine',
  }),
  untrusted_forwarders: Type.Array(
    Type.Object({ address: Type.String(), requests: Type.Integer({ description: 'Since the process started' }) }),
    {
      description:
        'Who sent X-Forwarded-For within the last day and is not one of TRUSTED_PROXIES, most requests first',
    },
  ),
});

const QueueSchema = Type.Object(
  {
    fault: nullable<string>('string', { description: 'Why the numbers are not to be had, or old' }),
    topics: Type.Array(Type.String(), { description: 'What of the topics is not as wanted' }),
    groups: Type.Array(
      Type.Object({
        group: Type.String(),
        state: Type.String({ description: 'As Kafka calls it' }),
        members: Count,
        lag: Type.Integer({ description: 'Messages that wait' }),
      }),
    ),
  },
  { $id: 'Queue' },
);

const ListSchema = Type.Object({
  url: Type.String(),
  ranges: nullable<number>('integer', { description: 'Address ranges; null while it was never fetched' }),
  fetched_at: nullableTime('When it was last fetched without a fault'),
  fault: nullable<string>('string', { description: 'Why the last fetch changed nothing' }),
  next_try_at: Time,
});

const NetworkFileSchema = Type.Object({
  setting: Type.Unsafe<'GEOIP_FILE' | 'ASN_FILE'>({ type: 'string', enum: ['GEOIP_FILE', 'ASN_FILE'] }),
  path: Type.String(),
  database_type: nullable<string>('string', { description: 'As the file says; null while none could be read' }),
  built_at: nullableTime('When the file in use was built'),
  fault: nullable<string>('string', { description: 'Why the file is not in use, or not the latest one' }),
});

const RetentionSchema = Type.Object(
  {
    days: nullable<number>('integer', { description: 'Days for which visits are kept; null until ingest has told' }),
    set_days: nullable<number>('integer', { description: 'As set here; null: as the configuration has it' }),
    configured_days: nullable<number>('integer', { description: 'RETENTION_DAYS of ingest; null until it has told' }),
    unknown_days: nullable<number>('integer', {
      description:
        'Days for which visits of unknown visitors are kept, at most as long as others; null: as long as others',
    }),
    audit_days: Type.Integer({ description: 'Days for which entries of the audit log are kept' }),
  },
  { $id: 'Retention' },
);

export const SystemSchema = Type.Object(
  {
    processes: Type.Array(ProcessSchema, { description: 'All that reported within a day, by service' }),
    rules: nullable<{ state: ProcessState; detail: string | null }>('object', {
      properties: { state: { type: 'string', enum: [...PROCESS_STATES] }, detail: { type: ['string', 'null'] } },
      required: ['state', 'detail'],
      description: 'The service rules, which keeps nothing and so does not report: as the console reaches it',
    }),
    queue: Type.Unsafe<Static<typeof QueueSchema> | null>({
      anyOf: [QueueSchema, { type: 'null' }],
      description: 'null: the services are joined within one process, without a queue',
    }),
    dead_letters: Type.Object({
      open: Type.Integer({ description: 'Not replayed yet' }),
      newest_at: nullableTime('When the newest of them failed'),
    }),
    catalog: Type.Object({
      version: nullable<string>('string', { description: 'null while the catalog does not answer' }),
      bundled_version: Type.String({ description: 'Of the list that came with the release' }),
      agents: Count,
      own_agents: Type.Integer({ description: 'Added or changed here' }),
      lists: Type.Array(ListSchema, {
        description: 'Address lists that operators of agents, proxies and data centers publish',
      }),
    }),
    disk: Type.Object({
      database_bytes: Type.Integer(),
      visits_bytes: Type.Integer(),
      counts_bytes: Type.Integer(),
      partitions: Type.Array(
        Type.Object({
          day: Type.String({ format: 'date' }),
          bytes: Type.Integer(),
          visits: Type.Integer({ description: 'Estimated' }),
        }),
        { description: 'One a day of receipt, newest first' },
      ),
      outbox: Type.Object({
        messages: Type.Integer(),
        bytes: Type.Integer(),
        oldest_at: nullableTime('Since when the oldest message waits'),
      }),
    }),
    network_files: Type.Array(NetworkFileSchema, {
      description: 'Files that networks are named by, as the console that answers has read them; those that are set',
    }),
    is_public_url_insecure: Type.Boolean({
      description: 'Whether `PUBLIC_URL` is http although people reach the instance by https',
    }),
    retention: Type.Object({
      ...RetentionSchema.properties,
      bytes_per_day: nullable<number>('number', {
        description:
          'That visits of agents took in a day, on the average of the last 7 days that had any; null before the first',
      }),
      unknown_bytes_per_day: nullable<number>('number', {
        description: 'The same as bytes_per_day, of unknown visitors',
      }),
    }),
  },
  { $id: 'System', description: 'How the instance is' },
);

const DAYS = { minimum: 1, maximum: 3_650 };

export const RetentionChangeSchema = Type.Object(
  {
    days: Type.Optional(nullable<number>('integer', { ...DAYS, description: 'null: as the configuration has it' })),
    unknown_days: Type.Optional(
      nullable<number>('integer', { ...DAYS, description: 'Of unknown visitors; null: as long as others' }),
    ),
    audit_days: Type.Optional(
      Type.Integer({ minimum: AUDIT_DAYS.min, maximum: AUDIT_DAYS.max, description: 'Of entries of the audit log' }),
    ),
  },
  { $id: 'RetentionChange', additionalProperties: false, minProperties: 1 },
);
export { RetentionSchema };

export const PIPELINE_STATES = ['running', 'degraded', 'down'] as const;
export type PipelineState = (typeof PIPELINE_STATES)[number];
const PipelineStateSchema = Type.Unsafe<PipelineState>({ type: 'string', enum: [...PIPELINE_STATES] });

export const PIPELINE_PARTS = ['gateway', 'queue', 'enrichment', 'ingest', 'database'] as const;
export type PipelinePart = (typeof PIPELINE_PARTS)[number];

export const PipelineSchema = Type.Object(
  {
    state: PipelineStateSchema,
    parts: Type.Array(
      Type.Object({
        part: Type.Unsafe<PipelinePart>({ type: 'string', enum: [...PIPELINE_PARTS] }),
        state: PipelineStateSchema,
        detail: nullable<string>('string', { description: 'A sentence for people; null where it runs' }),
      }),
      { description: 'In the order in which a visit meets them' },
    ),
  },
  { $id: 'Pipeline', description: 'Whether visits get through, from the report to the timeline' },
);

export type System = Static<typeof SystemSchema>;
export type SystemProcess = Static<typeof ProcessSchema>;
export type NetworkFileState = Static<typeof NetworkFileSchema>;
export type Queue = Static<typeof QueueSchema>;
export type Retention = Static<typeof RetentionSchema>;
export type RetentionChange = Static<typeof RetentionChangeSchema>;
export type Pipeline = Static<typeof PipelineSchema>;
