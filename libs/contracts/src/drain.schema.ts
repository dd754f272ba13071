import { DRAIN_SOURCES, type DrainSource } from '#libs/drains';
import { Type, type Static } from 'typebox';
import { FASTLY_SERVICE_PATTERN, VISIBLE_ASCII_PATTERN } from './patterns.js';
import { SingleLine } from './text.schema.js';

/** Limits of `POST /drains/{source}` that are part of the contract. */
export const DRAIN_LIMITS = {
  /** A body as it is sent. */
  bytes: 16 * 1024 * 1024,
  /** Its lines, decoded. */
  decodedBytes: 128 * 1024 * 1024,
  /** A body that is one JSON document, decoded: an array, what Firehose or OpenTelemetry sends. */
  documentBytes: 16 * 1024 * 1024,
  lines: 100_000,
  /** A line. */
  lineBytes: 64 * 1024,
} as const;

/** Lines that could not be read, of which the last are kept for each source. */
export const KEPT_UNREADABLE_LINES = 10;

const Time = Type.String({ format: 'date-time' });
const Count = Type.Integer({ minimum: 0 });
const nullable = <T>(type: string, extra: object = {}) => Type.Unsafe<T | null>({ type: [type, 'null'], ...extra });

export const DrainSourceSchema = Type.Unsafe<DrainSource>({
  type: 'string',
  enum: [...DRAIN_SOURCES],
  description: 'Who sends',
});

/** What a line can say of a request, as a mapping names it. */
const MAPPED_FIELDS = {
  time: 'When it was: ISO 8601, or seconds, milliseconds, microseconds or nanoseconds since 1970',
  client: "Address of the connection's peer",
  method: 'HTTP method; GET where it is absent',
  path: 'Path, with or without the query, or the whole URL',
  query: 'Query, where it is apart from the path',
  status: 'HTTP status code',
  size: 'Bytes of the response body',
  duration: 'Time that the answer took, in `duration_unit`',
  host: 'Host name of the site',
  user_agent: 'User-Agent',
  referer: 'Referer',
  forwarded_for: 'X-Forwarded-For, as it was received',
  headers: 'Object with all headers of the request',
  id: 'What your log calls this request: lines with the same id count once',
} as const;
type MappedField = keyof typeof MAPPED_FIELDS;

const mappedKey = (description: string) => Type.Optional(SingleLine({ minLength: 1, maxLength: 200, description }));

/** Where the fields of a request are in JSON of one's own. */
export const DrainMappingSchema = Type.Object(
  {
    ...(Object.fromEntries(
      Object.entries(MAPPED_FIELDS).map(([field, description]) => [field, mappedKey(description)]),
    ) as Record<MappedField, ReturnType<typeof mappedKey>>),
    time: SingleLine({ minLength: 1, maxLength: 200, description: MAPPED_FIELDS.time }),
    client: SingleLine({ minLength: 1, maxLength: 200, description: MAPPED_FIELDS.client }),
    path: SingleLine({ minLength: 1, maxLength: 200, description: MAPPED_FIELDS.path }),
    duration_unit: Type.Optional(
      Type.Unsafe<'s' | 'ms' | 'us' | 'ns'>({
        type: 'string',
        enum: ['s', 'ms', 'us', 'ns'],
        description: 'Milliseconds when absent',
      }),
    ),
  },
  {
    $id: 'DrainMapping',
    additionalProperties: false,
    description: 'Keys of your objects for the fields of a request. A dot leads into an object: `request.uri`',
    examples: [{ time: 'ts', client: 'ip', method: 'verb', path: 'request.uri', status: 'code', user_agent: 'ua' }],
  },
);

const drainSettings = {
  allows_token_in_url: Type.Boolean({
    description:
      'Whether drains may show their access token as `?token=`, for senders that can do nothing else. Proxies in front of this instance may log it',
  }),
  leaves_out_static_files: Type.Boolean({
    description:
      'Whether drains leave out requests for images, fonts, style sheets, scripts and media. robots.txt, llms.txt, sitemaps, feeds and what is below /.well-known/ are always recorded',
  }),
  mapping: Type.Unsafe<DrainMapping | null>({
    anyOf: [DrainMappingSchema, { type: 'null' }],
    description: 'For the source `json`; null: its lines must be of a known format',
  }),
  vercel_verify: nullable<string>('string', {
    minLength: 1,
    maxLength: 200,
    pattern: VISIBLE_ASCII_PATTERN,
    description: 'What the header `x-vercel-verify` of every answer to `vercel` holds; Vercel shows it',
  }),
  fastly_service_ids: Type.Array(Type.String({ minLength: 1, maxLength: 64, pattern: FASTLY_SERVICE_PATTERN }), {
    maxItems: 50,
    uniqueItems: true,
    description: 'Fastly services that may log to this instance: it answers their challenge',
  }),
};

export const DrainSettingsSchema = Type.Object(
  {
    ...drainSettings,
    has_vercel_secret: Type.Boolean({ description: 'Whether bodies of `vercel` must be signed, beside the token' }),
  },
  { $id: 'DrainSettings' },
);
export const DrainSettingsChangeSchema = Type.Partial(
  Type.Object({
    ...drainSettings,
    vercel_secret: nullable<string>('string', {
      minLength: 8,
      maxLength: 200,
      pattern: VISIBLE_ASCII_PATTERN,
      description: 'What Vercel signs with, as it shows it. It is never shown again; null: bodies are not signed',
    }),
  }),
  { $id: 'DrainSettingsChange', additionalProperties: false, minProperties: 1 },
);

const lineCounts = {
  lines: Type.Integer({ minimum: 0, description: 'All of them; blank ones aside' }),
  visits: Type.Integer({ minimum: 0, description: 'Recorded, now or when they came before' }),
  static_files: Type.Integer({ minimum: 0, description: 'Left out as requests for static files' }),
  left_out: Type.Integer({ minimum: 0, description: "Left out as no visitor's requests, as the source says" }),
  unreadable: Type.Integer({ minimum: 0, description: 'Not of a format that is known' }),
};

/** What became of the lines of a body. */
export const DrainReceiptSchema = Type.Object(lineCounts, { $id: 'DrainReceipt' });

/** What Firehose demands: https://docs.aws.amazon.com/firehose/latest/dev/httpdeliveryrequestresponse.html. */
export const FirehoseReceiptSchema = Type.Object(
  { requestId: Type.String(), timestamp: Type.Integer({ description: 'Milliseconds since 1970' }) },
  { $id: 'FirehoseReceipt' },
);

/** A refusal, as Firehose demands it instead of a problem document. */
export const FirehoseRefusalSchema = Type.Object(
  { ...FirehoseReceiptSchema.properties, errorMessage: Type.String() },
  { $id: 'FirehoseRefusal' },
);

export const DrainSchema = Type.Object(
  {
    source: DrainSourceSchema,
    first_batch_at: Time,
    last_batch_at: Time,
    last_batch: Type.Object({
      ...lineCounts,
      is_test: Type.Boolean({ description: 'Whether it was how the sender tries the connection, and no log' }),
    }),
    totals: Type.Object(
      { batches: Count, ...lineCounts },
      { description: 'Since the first batch. A batch that comes twice counts here twice' },
    ),
    unreadable_lines: Type.Array(
      Type.Object({
        received_at: Time,
        reason: Type.String({ description: 'Why it could not be read, for people' }),
        text: Type.String({ description: 'Its beginning, without credentials' }),
      }),
      { description: `The last ${KEPT_UNREADABLE_LINES} that could not be read, newest first` },
    ),
  },
  { $id: 'Drain', description: 'A source that sent something' },
);
export const DrainListSchema = Type.Object({ drains: Type.Array(DrainSchema) }, { $id: 'DrainList' });

export type DrainMapping = Static<typeof DrainMappingSchema>;
export type DrainSettings = Static<typeof DrainSettingsSchema>;
export type DrainSettingsChange = Static<typeof DrainSettingsChangeSchema>;
export type DrainReceipt = Static<typeof DrainReceiptSchema>;
export type FirehoseReceipt = Static<typeof FirehoseReceiptSchema>;
export type Drain = Static<typeof DrainSchema>;
