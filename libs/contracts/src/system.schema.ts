import { AUDIT_DAYS } from './audit.schema.js';
import { Type, type Static } from 'typebox';

const Time = Type.String({ format: 'date-time' });
const Count = Type.Integer({ minimum: 0 });
const nullable = <T>(type: string, extra: object = {}) => Type.Unsafe<T | null>({ type: [type, 'null'], ...extra });
const nullableTime = (description: string) => nullable<string>('string', { format: 'date-time', description });

export const PROCESS_STATES = ['ok', 'degraded', 'unavailable', 'silent'] as const;
export type ProcessState = (typeof PROCESS_STATES)[number];

/** Number of seconds without a report after which a process is considered silent. */
export const SILENT_AFTER_SECONDS = 30;

const ProcessSchema = Type.Object({
  id: Type.String({ format: 'uuid' }),
  service: Type.String({ description: 'Service that runs in the process. `agent-traffic` means all services.' }),
  host: Type.String(),
  version: Type.String(),
  started_at: Time,
  reported_at: Time,
  seconds_since_report: Type.Number(),
  state: Type.Unsafe<ProcessState>({
    type: 'string',
    enum: [...PROCESS_STATES],
    description: `State according to the process's own checks, or \`silent\` after ${SILENT_AFTER_SECONDS} seconds without a report`,
  }),
  checks: Type.Unsafe<Record<string, string | null>>({
    type: 'object',
    additionalProperties: { type: ['string', 'null'] },
    description: 'Errors by check name. Null for each check that passed.',
  }),
  untrusted_forwarders: Type.Array(
    Type.Object({
      address: Type.String(),
      requests: Type.Integer({ description: 'Number of requests since the process started' }),
    }),
    {
      description:
        'Addresses that sent X-Forwarded-For in the last day but are not listed in TRUSTED_PROXIES, most requests first',
    },
  ),
});

const QueueSchema = Type.Object(
  {
    fault: nullable<string>('string', {
      description: 'Reason the numbers are missing or outdated. Null if they are up to date.',
    }),
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
  operators: Type.Array(Type.String(), {
    description: 'Operators of the agents that the list verifies. Empty for lists of proxies and data centers.',
  }),
  ranges: nullable<number>('integer', {
    description: 'Number of IP address ranges. Null if the list has never been fetched.',
  }),
  fetched_at: nullableTime('Time of the last successful fetch. Null if there was none.'),
  fault: nullable<string>('string', {
    description: 'Reason the result of the last fetch was not used. Null if it was used.',
  }),
  next_try_at: Time,
});

const NetworkFileSchema = Type.Object({
  setting: Type.Unsafe<'GEOIP_FILE' | 'ASN_FILE'>({ type: 'string', enum: ['GEOIP_FILE', 'ASN_FILE'] }),
  path: Type.String(),
  database_type: nullable<string>('string', {
    description: 'Type of the database, as stated in the file. Null if no file could be read.',
  }),
  built_at: nullableTime('Build time of the file in use'),
  fault: nullable<string>('string', {
    description: 'Reason the file, or its latest version, is not in use. Null if it is in use.',
  }),
});

const RetentionSchema = Type.Object(
  {
    days: nullable<number>('integer', {
      description: 'Retention period for visits, in days. Null until the ingest service reports it.',
    }),
    set_days: nullable<number>('integer', {
      description: 'Retention period set through the API, in days. Null if the configured default applies.',
    }),
    configured_days: nullable<number>('integer', {
      description: 'RETENTION_DAYS setting of the ingest service. Null until the service reports it.',
    }),
    unknown_days: nullable<number>('integer', {
      description:
        "Retention period for visits by unknown visitors, in days. Can't exceed the retention period for other visits. Null means the same period as for other visits.",
    }),
    audit_days: Type.Integer({ description: 'Retention period for audit log entries, in days' }),
  },
  { $id: 'Retention' },
);

export const SystemSchema = Type.Object(
  {
    processes: Type.Array(ProcessSchema, {
      description: 'Processes that have reported their state in the last day, sorted by service',
    }),
    rules: nullable<{ state: ProcessState; detail: string | null }>('object', {
      properties: { state: { type: 'string', enum: [...PROCESS_STATES] }, detail: { type: ['string', 'null'] } },
      required: ['state', 'detail'],
      description:
        'State of the rules service as seen by the console. The rules service has no database, so it does not report its state.',
    }),
    queue: Type.Unsafe<Static<typeof QueueSchema> | null>({
      anyOf: [QueueSchema, { type: 'null' }],
      description: 'State of the queue. Null in standalone mode, which has no queue.',
    }),
    dead_letters: Type.Object({
      open: Type.Integer({ description: 'Number of dead letters that have not been replayed' }),
      newest_at: nullableTime(
        'Time at which the most recent dead letter that has not been replayed failed. Null if there is none.',
      ),
    }),
    catalog: Type.Object({
      version: nullable<string>('string', {
        description: "Catalog version. Null if the catalog service isn't responding.",
      }),
      bundled_version: Type.String({ description: 'Version of the built-in catalog' }),
      agents: Count,
      own_agents: Type.Integer({ description: 'Number of agents added or changed on this instance' }),
      lists: Type.Array(ListSchema, {
        description: 'IP address lists published by operators of agents, proxies and data centers',
      }),
      bundled_ranges: Type.Array(
        Type.Object({
          operator: Type.String(),
          ranges: Count,
          as_of: nullable<string>('string', {
            format: 'date',
            description: 'Date of the oldest ranges. Null if they have no date.',
          }),
        }),
        {
          description:
            'IP address ranges in the catalog, by operator that publishes lists. They are used until all lists of an agent have been fetched.',
        },
      ),
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
        { description: 'Partitions (one per day of receipt), newest first' },
      ),
      outbox: Type.Object({
        messages: Type.Integer(),
        bytes: Type.Integer(),
        oldest_at: nullableTime('Time at which the oldest message was queued. Null if the outbox is empty.'),
      }),
      visit_store: Type.Object(
        {
          name: Type.String({ description: 'Name of the database' }),
          fault: nullable<string>('string', { description: "Reason why it's unavailable. Null if it's available." }),
          pending_batches: Type.Integer({ description: 'Batches of accepted visits that are not stored there yet' }),
          oldest_pending_at: nullableTime(
            'Time at which the oldest of these batches was accepted. Null if there are none.',
          ),
        },
        { description: 'Database that stores the visits' },
      ),
    }),
    network_files: Type.Array(NetworkFileSchema, {
      description: 'Configured files with network names, as read by the console process that responds',
    }),
    is_public_url_insecure: Type.Boolean({
      description: 'Whether `PUBLIC_URL` uses HTTP even though users access the instance over HTTPS',
    }),
    retention: Type.Object({
      ...RetentionSchema.properties,
      bytes_per_day: nullable<number>('number', {
        description:
          'Average disk space used by agent visits per day, in bytes, over the last 7 days with visits. Null if there have been no visits yet.',
      }),
      unknown_bytes_per_day: nullable<number>('number', {
        description: 'Same as `bytes_per_day`, but for unknown visitors',
      }),
    }),
  },
  { $id: 'System', description: 'Status of the instance' },
);

const DAYS = { minimum: 1, maximum: 3_650 };

export const RetentionChangeSchema = Type.Object(
  {
    days: Type.Optional(
      nullable<number>('integer', {
        ...DAYS,
        description: 'Retention period for visits, in days. Null means the configured default applies.',
      }),
    ),
    unknown_days: Type.Optional(
      nullable<number>('integer', {
        ...DAYS,
        description:
          'Retention period for visits by unknown visitors, in days. Null means the same period as for other visits.',
      }),
    ),
    audit_days: Type.Optional(
      Type.Integer({
        minimum: AUDIT_DAYS.min,
        maximum: AUDIT_DAYS.max,
        description: 'Retention period for audit log entries, in days',
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
          description: 'Description of the problem. Null if the part is running.',
        }),
      }),
      { description: 'Parts in processing order' },
    ),
  },
  { $id: 'Pipeline', description: 'Status of the pipeline that processes reported visits' },
);

export type System = Static<typeof SystemSchema>;
export type SystemProcess = Static<typeof ProcessSchema>;
export type NetworkFileState = Static<typeof NetworkFileSchema>;
export type Queue = Static<typeof QueueSchema>;
export type Retention = Static<typeof RetentionSchema>;
export type RetentionChange = Static<typeof RetentionChangeSchema>;
export type Pipeline = Static<typeof PipelineSchema>;
