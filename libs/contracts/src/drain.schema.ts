import { DRAIN_SOURCES, type DrainSource } from '#libs/drains';
import { Type, type Static } from 'typebox';
import { FASTLY_SERVICE_PATTERN, VISIBLE_ASCII_PATTERN } from './patterns.js';
import { SingleLine } from './text.schema.js';

/** Documented limits of `POST /drains/{source}`. */
export const DRAIN_LIMITS = {
  /** Maximum size of the body as sent, before decoding, in bytes. */
  bytes: 16 * 1024 * 1024,
  /** Maximum size of the decoded lines, in bytes. */
  decodedBytes: 128 * 1024 * 1024,
  /**
   * Maximum decoded size of a body that is a single JSON document, in bytes. Examples are arrays, and Firehose and
   * OpenTelemetry requests.
   */
  documentBytes: 16 * 1024 * 1024,
  lines: 100_000,
  /** Maximum size of a line, in bytes. */
  lineBytes: 64 * 1024,
} as const;

/** Maximum number of unreadable lines retained per source. Older lines are discarded. */
export const MAX_UNREADABLE_LINES = 10;

const Time = Type.String({ format: 'date-time' });
const Count = Type.Integer({ minimum: 0 });
const nullable = <T>(type: string, extra: object = {}) => Type.Unsafe<T | null>({ type: [type, 'null'], ...extra });

export const DrainSourceSchema = Type.Unsafe<DrainSource>({
  type: 'string',
  enum: [...DRAIN_SOURCES],
  description: 'Service or software that sends the logs',
});

/** Request fields that a mapping can assign, with their descriptions. */
const MAPPED_FIELDS = {
  time: 'Time of the request, in ISO 8601 format or as seconds, milliseconds, microseconds or nanoseconds since the Unix epoch',
  client: "IP address of the connection's peer",
  method: 'HTTP method. Default: GET.',
  path: 'Path with or without the query, or the full URL',
  query: 'Query string, if logged separately from the path',
  status: 'HTTP status code',
  size: 'Response body size in bytes',
  duration: 'Response time, in `duration_unit`',
  host: 'Host name of the site',
  user_agent: 'User-Agent',
  referer: 'Referer',
  forwarded_for: 'X-Forwarded-For header of the request',
  headers: 'Object that contains all request headers',
  id: 'Request ID in your log. Lines with the same ID are counted only once.',
} as const;
type MappedField = keyof typeof MAPPED_FIELDS;

const mappingKey = (description: string) => Type.Optional(SingleLine({ minLength: 1, maxLength: 200, description }));

/** Mapping from custom JSON log lines to request fields. */
export const DrainMappingSchema = Type.Object(
  {
    ...(Object.fromEntries(
      Object.entries(MAPPED_FIELDS).map(([field, description]) => [field, mappingKey(description)]),
    ) as Record<MappedField, ReturnType<typeof mappingKey>>),
    time: SingleLine({ minLength: 1, maxLength: 200, description: MAPPED_FIELDS.time }),
    client: SingleLine({ minLength: 1, maxLength: 200, description: MAPPED_FIELDS.client }),
    path: SingleLine({ minLength: 1, maxLength: 200, description: MAPPED_FIELDS.path }),
    duration_unit: Type.Optional(
      Type.Unsafe<'s' | 'ms' | 'us' | 'ns'>({
        type: 'string',
        enum: ['s', 'ms', 'us', 'ns'],
        description: 'Unit of `duration`. Default: `ms`.',
      }),
    ),
  },
  {
    $id: 'DrainMapping',
    additionalProperties: false,
    description:
      'Keys in your JSON objects that contain each request field. Use dots for nested objects, such as `request.uri`.',
    examples: [{ time: 'ts', client: 'ip', method: 'verb', path: 'request.uri', status: 'code', user_agent: 'ua' }],
  },
);

const drainSettings = {
  allows_token_in_url: Type.Boolean({
    description:
      "Whether senders that can't set headers may pass the access token as `?token=`. Proxies in front of this instance might log the token.",
  }),
  leaves_out_static_files: Type.Boolean({
    description:
      'Whether to skip requests for images, fonts, style sheets, scripts and media. robots.txt, llms.txt, sitemaps, feeds and paths under /.well-known/ are always recorded.',
  }),
  mapping: Type.Unsafe<DrainMapping | null>({
    anyOf: [DrainMappingSchema, { type: 'null' }],
    description: 'Field mapping for the `json` source. If null, its lines must be in a known format.',
  }),
  vercel_verify: nullable<string>('string', {
    minLength: 1,
    maxLength: 200,
    pattern: VISIBLE_ASCII_PATTERN,
    description: 'Value of the `x-vercel-verify` header in responses to Vercel, as shown in the Vercel dashboard',
  }),
  fastly_service_ids: Type.Array(Type.String({ minLength: 1, maxLength: 64, pattern: FASTLY_SERVICE_PATTERN }), {
    maxItems: 50,
    uniqueItems: true,
    description:
      'IDs of the Fastly services that are allowed to send logs to this instance. The instance responds to their challenge.',
  }),
};

export const DrainSettingsSchema = Type.Object(
  {
    ...drainSettings,
    has_vercel_secret: Type.Boolean({
      description: 'Whether Vercel must sign request bodies in addition to sending the token',
    }),
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
      description:
        'Secret that Vercel uses to sign request bodies, as shown in the Vercel dashboard. Never returned. Set it to null to turn off signature checks.',
    }),
  }),
  { $id: 'DrainSettingsChange', additionalProperties: false, minProperties: 1 },
);

const lineCounts = {
  lines: Type.Integer({ minimum: 0, description: 'Number of lines, excluding blank lines' }),
  visits: Type.Integer({
    minimum: 0,
    description: 'Number of lines recorded as visits, including visits that had already been recorded',
  }),
  static_files: Type.Integer({
    minimum: 0,
    description: 'Number of lines skipped because they are requests for static files',
  }),
  left_out: Type.Integer({
    minimum: 0,
    description: 'Number of lines skipped because, according to the source, they do not come from visitors',
  }),
  unreadable: Type.Integer({ minimum: 0, description: 'Number of lines in an unknown format' }),
};

/** Number of lines in a request body, by outcome. */
export const DrainReceiptSchema = Type.Object(lineCounts, { $id: 'DrainReceipt' });

/** Response that Firehose requires. See https://docs.aws.amazon.com/firehose/latest/dev/httpdeliveryrequestresponse.html. */
export const FirehoseReceiptSchema = Type.Object(
  {
    requestId: Type.String(),
    timestamp: Type.Integer({ description: 'Time of the response, in milliseconds since the Unix epoch' }),
  },
  { $id: 'FirehoseReceipt' },
);

/** Error response that Firehose requires instead of a problem document. */
export const FirehoseErrorSchema = Type.Object(
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
      is_test: Type.Boolean({ description: 'Whether the batch was a connection test by the sender' }),
    }),
    totals: Type.Object(
      { batches: Count, ...lineCounts },
      { description: 'Totals since the first batch. Batches that are sent again are counted each time.' },
    ),
    unreadable_lines: Type.Array(
      Type.Object({
        received_at: Time,
        reason: Type.String({ description: 'Human-readable reason the line is unreadable' }),
        text: Type.String({ description: 'Beginning of the line, with credentials removed' }),
      }),
      { description: `The ${MAX_UNREADABLE_LINES} most recent unreadable lines, newest first` },
    ),
  },
  { $id: 'Drain', description: 'Source that has sent at least one batch' },
);
export const DrainListSchema = Type.Object({ drains: Type.Array(DrainSchema) }, { $id: 'DrainList' });

export type DrainMapping = Static<typeof DrainMappingSchema>;
export type DrainSettings = Static<typeof DrainSettingsSchema>;
export type DrainSettingsChange = Static<typeof DrainSettingsChangeSchema>;
export type DrainReceipt = Static<typeof DrainReceiptSchema>;
export type FirehoseReceipt = Static<typeof FirehoseReceiptSchema>;
export type Drain = Static<typeof DrainSchema>;
