import { Type, type Static } from 'typebox';
import { Creator, ProjectRoleSchema } from './account.schema.js';
import { TimelineVisitSchema } from './client-network.schema.js';
import { UNKNOWN_VISITORS, type UnknownVisitors } from './enriched-visit.schema.js';
import { openEnum } from './open-enum.js';
import { MAX_PATH_PATTERNS, MAX_PATH_WILDCARDS, PATH_PATTERN } from './path-pattern.js';
import { ADDRESS_HEADER_PATTERN, FIELD_NAME_PATTERN, LIST_AMOUNT_PATTERN, LIST_CURRENCY_PATTERN } from './patterns.js';
import { Name, SingleLine } from './text.schema.js';
import { DEAD_LETTER_REASONS } from './topics.js';

const Id = Type.String({ format: 'uuid' });
const Time = Type.String({ format: 'date-time' });
const nullable = <T>(type: string, extra: object = {}) => Type.Unsafe<T | null>({ type: [type, 'null'], ...extra });

/** Settings that determine which proxies are trusted to forward the client address. */
export const TrustedProxiesSchema = Type.Object(
  {
    mode: Type.Optional(
      Type.Unsafe<'default' | 'none'>({
        type: 'string',
        enum: ['default', 'none'],
        description: '`none` means the site is not behind a proxy, so all forwarding headers are ignored',
      }),
    ),
    networks: Type.Optional(
      Type.Array(SingleLine({ minLength: 1, maxLength: 100 }), {
        maxItems: 50,
        uniqueItems: true,
        description:
          'Operators of the CDNs, load balancers and platforms in front of the site, as named in the catalog (for example, Cloudflare). Headers from other networks are ignored. If empty, only your own proxies are trusted. By default, all known networks are trusted.',
      }),
    ),
    hops: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10, description: 'Number of trusted proxies in front of the site' }),
    ),
    ranges: Type.Optional(
      Type.Array(SingleLine({ maxLength: 100 }), {
        maxItems: 1_000,
        description: 'Additional trusted IP ranges in CIDR notation',
      }),
    ),
    header: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        pattern: ADDRESS_HEADER_PATTERN,
        description: 'The only header trusted to contain the client address, such as cf-connecting-ip',
      }),
    ),
  },
  { $id: 'TrustedProxies', additionalProperties: false },
);

const FieldName = Type.String({ minLength: 1, maxLength: 100, pattern: FIELD_NAME_PATTERN });

/** Maximum length of a path pattern in characters. */
const MAX_PATTERN_LENGTH = 300;

/** Maximum price per GB and per hour of server time, in any currency. */
const MAX_PRICE = 10_000_000;

const projectSettings = {
  name: Name,
  site_address: nullable<string>('string', { format: 'uri', maxLength: 2_048, description: 'Site URL' }),
  host_names: Type.Array(SingleLine({ minLength: 1, maxLength: 253 }), {
    maxItems: 100,
    description: 'Host names of the site. If empty, signatures for any host are accepted.',
  }),
  time_zone: SingleLine({ maxLength: 100, description: 'IANA time zone', examples: ['Europe/Berlin'] }),
  trusted_proxies: TrustedProxiesSchema,
  redacted_headers: Type.Array(FieldName, {
    maxItems: 100,
    description: 'Names of headers, fields and parameters whose values are redacted, in addition to credentials',
  }),
  unredacted_headers: Type.Array(FieldName, {
    maxItems: 100,
    description:
      'Names of headers, fields and parameters whose values are not redacted even if they look like credentials. Authorization, cookies and names that the instance redacts are always redacted.',
  }),
  unknown_visitors: Type.Unsafe<UnknownVisitors>({
    type: 'string',
    enum: [...UNKNOWN_VISITORS],
    description:
      'How new visits from unknown visitors, who are mostly people, are stored. `kept` visits are stored in full. `reduced` visits are stored without the address and with only the headers required for identification. `counted` visits are counted but not stored.',
  }),
  price_per_gb: nullable<number>('number', {
    minimum: 0,
    maximum: MAX_PRICE,
    description: 'Price per GB (10^9 bytes) sent, in `currency`. Null if not set.',
  }),
  price_per_server_hour: nullable<number>('number', {
    minimum: 0,
    maximum: MAX_PRICE,
    description: 'Price per hour of server time, in `currency`. Null if not set.',
  }),
  currency: SingleLine({
    minLength: 3,
    maxLength: 3,
    description: 'Currency of the prices as an ISO 4217 code. Default: USD.',
    examples: ['EUR'],
  }),
  path_patterns: Type.Array(
    Type.Object(
      {
        name: Name,
        pattern: SingleLine({
          minLength: 1,
          maxLength: MAX_PATTERN_LENGTH,
          pattern: PATH_PATTERN,
          description: `Pattern for the path, as in the \`path\` filter. \`*\` stands for any characters, and can be used up to ${MAX_PATH_WILDCARDS} times.`,
          examples: ['/docs/*'],
        }),
      },
      { additionalProperties: false },
    ),
    {
      maxItems: MAX_PATH_PATTERNS,
      description:
        'Groups of pages that reports can be broken down by. Each visit counts for the first pattern it matches.',
    },
  ),
  toll_hosts: Type.Array(SingleLine({ minLength: 1, maxLength: 260 }), {
    maxItems: 20,
    description: 'Hosts that sell access to the site. Redirects to them ask for a payment.',
  }),
  list_prices: Type.Array(
    Type.Object(
      {
        currency: Type.String({
          maxLength: 5,
          pattern: LIST_CURRENCY_PATTERN,
          description: 'ISO 4217 code, or stablecoin such as `USDC`',
        }),
        amount: Type.String({
          maxLength: 19,
          pattern: LIST_AMOUNT_PATTERN,
          description: 'Exact decimal number',
          examples: ['0.01'],
        }),
      },
      { $id: 'ListPrice', additionalProperties: false },
    ),
    {
      maxItems: 10,
      description:
        'List prices per request, at most one per currency. They replace offered prices in the same currency. The first also applies to requests without a price.',
    },
  ),
};

export const ProjectSchema = Type.Object(
  {
    id: Id,
    ...projectSettings,
    is_demo: Type.Boolean({ description: 'Whether this is the demo project' }),
    created_at: Time,
    role: ProjectRoleSchema,
  },
  { $id: 'Project' },
);
export const NewProjectSchema = Type.Object(
  { ...Type.Partial(Type.Object(projectSettings)).properties, name: Name },
  { $id: 'NewProject', additionalProperties: false },
);
export const ProjectChangeSchema = Type.Partial(Type.Object(projectSettings), {
  $id: 'ProjectChange',
  additionalProperties: false,
  minProperties: 1,
});
export const ProjectListSchema = Type.Object({ projects: Type.Array(ProjectSchema) }, { $id: 'ProjectList' });

const MAX_TOKEN_NETWORKS = 50;

/** Access token purposes. Every operation that accepts an access token requires one of them. */
export const TOKEN_PURPOSES = ['report', 'drain', 'ask', 'forward'] as const;
export type TokenPurpose = (typeof TOKEN_PURPOSES)[number];

const purposesSchema = (options: { minItems?: number; uniqueItems?: boolean; note?: string }) => {
  const { note = '', ...limits } = options;
  return Type.Array(Type.Unsafe<TokenPurpose>({ type: 'string', enum: [...TOKEN_PURPOSES] }), {
    ...limits,
    description:
      'What the token can be used for. `report` allows reporting visits, `drain` allows sending log lines, `ask` allows identifying ' +
      `and verifying requests and getting rules, and \`forward\` allows checking each request at a proxy.${note}`,
  });
};

export const ExpiresAt = nullable<string>('string', {
  format: 'date-time',
  description: 'Time at which the token expires. Null if it never expires.',
});
export const NewExpiresAt = Type.Optional(
  nullable<string>('string', {
    format: 'date-time',
    description: 'Time at which the token expires. Must be in the future. By default, the token never expires.',
  }),
);

export const AccessTokenSchema = Type.Object(
  {
    id: Id,
    project_id: Id,
    name: Name,
    hint: Type.String({ description: 'Last few characters of the token' }),
    created_at: Time,
    created_by: Creator,
    revoked_at: nullable<string>('string', { format: 'date-time' }),
    last_used_at: nullable<string>('string', {
      format: 'date-time',
      description: 'Time at which the token was last used, accurate to the minute. Null if it has never been used.',
    }),
    expires_at: ExpiresAt,
    allowed_networks: Type.Array(Type.String(), {
      description:
        'IP addresses and networks that the token can be used from. If empty, the token can be used from anywhere.',
    }),
    purposes: purposesSchema({}),
  },
  { $id: 'AccessToken' },
);
export const RevealedAccessTokenSchema = Type.Object(
  { ...AccessTokenSchema.properties, token: Type.String() },
  { $id: 'RevealedAccessToken' },
);
/** Maximum number of active access tokens per project. Inactive tokens are retained up to the same number. */
export const MAX_ACCESS_TOKENS = 100;

export const NewAccessTokenSchema = Type.Object(
  {
    name: Type.Optional(Name),
    expires_at: NewExpiresAt,
    allowed_networks: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 43 }), {
        maxItems: MAX_TOKEN_NETWORKS,
        description:
          'IP addresses and networks that the token can be used from, such as 192.0.2.0/24. By default, the token can be used from anywhere.',
      }),
    ),
    purposes: Type.Optional(purposesSchema({ minItems: 1, uniqueItems: true, note: ' Default: all.' })),
  },
  { $id: 'NewAccessToken', additionalProperties: false },
);
export const AccessTokenListSchema = Type.Object({ tokens: Type.Array(AccessTokenSchema) }, { $id: 'AccessTokenList' });

export const VisitPageSchema = Type.Object(
  {
    visits: Type.Array(TimelineVisitSchema, { description: 'Visits in the requested order' }),
    next_cursor: nullable<string>('string', { description: 'Cursor for the next page. Null on the last page.' }),
    previous_cursor: nullable<string>('string', {
      description: 'Cursor for the previous page. New visits can appear there at any time.',
    }),
  },
  { $id: 'VisitPage' },
);

export const DeadLetterSchema = Type.Object(
  {
    id: Id,
    project_id: nullable<string>('string', { format: 'uuid' }),
    topic: Type.String(),
    key: nullable<string>('string'),
    headers: Type.Record(Type.String(), Type.String()),
    size: Type.Integer({ description: 'Size in bytes' }),
    reason: openEnum<string>(DEAD_LETTER_REASONS, 'Reason the message could not be processed'),
    detail: Type.String(),
    step: Type.String(),
    partition: nullable<number>('integer'),
    offset: nullable<string>('string'),
    failed_at: Time,
    replayed_at: nullable<string>('string', { format: 'date-time' }),
  },
  { $id: 'DeadLetter' },
);
export const DeadLetterWithBodySchema = Type.Object(
  { ...DeadLetterSchema.properties, value_base64: Type.String({ description: 'Original bytes, Base64-encoded' }) },
  { $id: 'DeadLetterWithBody' },
);
export const DeadLetterPageSchema = Type.Object(
  {
    dead_letters: Type.Array(DeadLetterSchema, { description: 'Dead letters, newest first' }),
    next_cursor: nullable<string>('string'),
  },
  { $id: 'DeadLetterPage' },
);
export const DeadLetterReplaySchema = Type.Object(
  { ids: Type.Array(Id, { minItems: 1, maxItems: 1_000 }) },
  { $id: 'DeadLetterReplay', additionalProperties: false },
);
export const DeadLetterReplayResultSchema = Type.Object(
  { replayed: Type.Integer({ description: 'Number of dead letters returned to their topics' }) },
  { $id: 'DeadLetterReplayResult' },
);

export type TrustedProxies = Static<typeof TrustedProxiesSchema>;
export type Project = Static<typeof ProjectSchema>;
export type NewProject = Static<typeof NewProjectSchema>;
export type ProjectChange = Static<typeof ProjectChangeSchema>;
export type AccessToken = Static<typeof AccessTokenSchema>;
export type RevealedAccessToken = Static<typeof RevealedAccessTokenSchema>;
export type DeadLetter = Static<typeof DeadLetterSchema>;
export type DeadLetterWithBody = Static<typeof DeadLetterWithBodySchema>;
export type DeadLetterPage = Static<typeof DeadLetterPageSchema>;
