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
  service: Type.String({ description: 'Service that runs in the process. `agent-traffic` is all of them.' }),
  host: Type.String(),
  version: Type.String(),
  started_at: Time,
  reported_at: Time,
  seconds_since_report: Type.Number(),
  state: Type.Unsafe<ProcessState>({
    type: 'string',
    enum: [...PROCESS_STATES],
    description: `State according to its own checks, or \`silent\` after ${SILENT_AFTER_SECONDS} s without a report`,
  }),
  checks: Type.Unsafe<Record<string, string | null>>({
    type: 'object',
    additionalProperties: { type: ['string', 'null'] },
    description: 'Errors by name of the check. Null if the check passes.',
  }),
  untrusted_forwarders: Type.Array(
    Type.Object({
      address: Type.String(),
      requests: Type.Integer({ description: 'Number of requests since the process started' }),
    }),
    {
      description:
        'Senders of X-Forwarded-For within the last day that are not in TRUSTED_PROXIES, most requests first',
    },
  ),
});

const QueueSchema = Type.Object(
  {
    fault: nullable<string>('string', { description: 'Reason why the numbers are missing or outdated' }),
    topics: Type.Array(Type.String(), { description: 'Problems with the topics' }),
    groups: Type.Array(
      Type.Object({
        group: Type.String(),
        state: Type.String({ description: 'State reported by Kafka' }),
        members: Count,
        lag: Type.Integer({ description: 'Number of waiting messages' }),
      }),
    ),
  },
  { $id: 'Queue' },
);

const ListSchema = Type.Object({
  url: Type.String(),
  ranges: nullable<number>('integer', { description: 'Number of address ranges, or null if never fetched' }),
  fetched_at: nullableTime('Time of the last successful fetch'),
  fault: nullable<string>('string', { description: 'Reason why the result of the last fetch was not used' }),
  next_try_at: Time,
});

const NetworkFileSchema = Type.Object({
  setting: Type.Unsafe<'GEOIP_FILE' | 'ASN_FILE'>({ type: 'string', enum: ['GEOIP_FILE', 'ASN_FILE'] }),
  path: Type.String(),
  database_type: nullable<string>('string', {
    description: 'Type stated in the file, or null if no file could be read',
  }),
  built_at: nullableTime('Build time of the file in use'),
  fault: nullable<string>('string', { description: 'Reason why the file, or its latest version, is not in use' }),
});

const RetentionSchema = Type.Object(
  {
    days: nullable<number>('integer', { description: 'Retention of visits in days, or null until ingest reports it' }),
    set_days: nullable<number>('integer', {
      description: 'Retention set here, or null if the configured value is used',
    }),
    configured_days: nullable<number>('integer', {
      description: 'RETENTION_DAYS of ingest, or null until ingest reports it',
    }),
    unknown_days: nullable<number>('integer', {
      description:
        'Retention of visits by unknown visitors in days, at most that of other visits. Null: the same as other visits.',
    }),
    audit_days: Type.Integer({ description: 'Retention of audit log entries in days' }),
  },
  { $id: 'Retention' },
);

export const SystemSchema = Type.Object(
  {
    processes: Type.Array(ProcessSchema, { description: 'Processes that reported within the last day, by service' }),
    rules: nullable<{ state: ProcessState; detail: string | null }>('object', {
      properties: { state: { type: 'string', enum: [...PROCESS_STATES] }, detail: { type: ['string', 'null'] } },
      required: ['state', 'detail'],
      description: 'State of the rules service, as seen by the console. It has no database, so it does not report.',
    }),
    queue: Type.Unsafe<Static<typeof QueueSchema> | null>({
      anyOf: [QueueSchema, { type: 'null' }],
      description: 'Null if all services run in one process, without a queue',
    }),
    dead_letters: Type.Object({
      open: Type.Integer({ description: 'Number of dead letters not yet replayed' }),
      newest_at: nullableTime('Failure time of the newest dead letter not yet replayed'),
    }),
    catalog: Type.Object({
      version: nullable<string>('string', {
        description: 'Catalog version, or null while the catalog service does not respond',
      }),
      bundled_version: Type.String({ description: 'Version of the built-in catalog' }),
      agents: Count,
      own_agents: Type.Integer({ description: 'Number of agents added or changed on this instance' }),
      lists: Type.Array(ListSchema, {
        description: 'Address lists published by operators of agents, proxies and data centers',
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
          visits: Type.Integer({ description: 'Estimated number of visits' }),
        }),
        { description: 'One per day of receipt, newest first' },
      ),
      outbox: Type.Object({
        messages: Type.Integer(),
        bytes: Type.Integer(),
        oldest_at: nullableTime('Time when the oldest message was queued'),
      }),
    }),
    network_files: Type.Array(NetworkFileSchema, {
      description: 'Configured files with network names, as read by the responding console',
    }),
    is_public_url_insecure: Type.Boolean({
      description: 'Whether `PUBLIC_URL` uses http although people reach the instance over https',
    }),
    retention: Type.Object({
      ...RetentionSchema.properties,
      bytes_per_day: nullable<number>('number', {
        description:
          'Average disk space for agent visits per day, over the last 7 days with visits. Null if there are none yet.',
      }),
      unknown_bytes_per_day: nullable<number>('number', {
        description: 'Like `bytes_per_day`, for unknown visitors',
      }),
    }),
  },
  { $id: 'System', description: 'Status of the instance' },
);

const DAYS = { minimum: 1, maximum: 3_650 };

export const RetentionChangeSchema = Type.Object(
  {
    days: Type.Optional(
      nullable<number>('integer', { ...DAYS, description: 'Retention of visits in days. Null: the configured value.' }),
    ),
    unknown_days: Type.Optional(
      nullable<number>('integer', {
        ...DAYS,
        description: 'Retention of visits by unknown visitors in days. Null: the same as other visits.',
      }),
    ),
    audit_days: Type.Optional(
      Type.Integer({
        minimum: AUDIT_DAYS.min,
        maximum: AUDIT_DAYS.max,
        description: 'Retention of audit log entries in days',
      }),
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
        detail: nullable<string>('string', {
          description: 'Description of the problem, or null if the part is running',
        }),
      }),
      { description: 'In processing order' },
    ),
  },
  { $id: 'Pipeline', description: 'Status of the pipeline from the report of a visit to the timeline' },
);

export type System = Static<typeof SystemSchema>;
export type SystemProcess = Static<typeof ProcessSchema>;
export type NetworkFileState = Static<typeof NetworkFileSchema>;
export type Queue = Static<typeof QueueSchema>;
export type Retention = Static<typeof RetentionSchema>;
export type RetentionChange = Static<typeof RetentionChangeSchema>;
export type Pipeline = Static<typeof PipelineSchema>;
