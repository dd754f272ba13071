import { Type, type Static } from 'typebox';
import { Maker, ProjectRoleSchema } from './account.schema.js';
import { TimelineVisitSchema } from './client-network.schema.js';
import { UNKNOWN_VISITORS, type UnknownVisitors } from './enriched-visit.schema.js';
import { openEnum } from './open-enum.js';
import { ADDRESS_HEADER_PATTERN, FIELD_NAME_PATTERN } from './patterns.js';
import { Name, SingleLine } from './text.schema.js';
import { DEAD_LETTER_REASONS } from './topics.js';

const Id = Type.String({ format: 'uuid' });
const Time = Type.String({ format: 'date-time' });
const nullable = <T>(type: string, extra: object = {}) => Type.Unsafe<T | null>({ type: [type, 'null'], ...extra });

/** How visitors reach the site: what is trusted when the client's address is looked for. */
export const TrustedProxiesSchema = Type.Object(
  {
    mode: Type.Optional(
      Type.Unsafe<'default' | 'none'>({
        type: 'string',
        enum: ['default', 'none'],
        description: '`none`: the site is not behind a proxy, no header is believed',
      }),
    ),
    networks: Type.Optional(
      Type.Array(SingleLine({ minLength: 1, maxLength: 100 }), {
        maxItems: 50,
        uniqueItems: true,
        description:
          'Operators of the content delivery networks, load balancers and platforms in front of the site, by their names in the catalog, e.g. Cloudflare. Headers of others are ignored. An empty list: only proxies of its own. Without it every known network is trusted',
      }),
    ),
    hops: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, description: 'Trusted proxies in front of the site' })),
    ranges: Type.Optional(
      Type.Array(SingleLine({ maxLength: 100 }), { maxItems: 1_000, description: 'More trusted ranges, as CIDR' }),
    ),
    header: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        pattern: ADDRESS_HEADER_PATTERN,
        description: 'The one header to believe, e.g. cf-connecting-ip',
      }),
    ),
  },
  { $id: 'TrustedProxies', additionalProperties: false },
);

const FieldName = Type.String({ minLength: 1, maxLength: 100, pattern: FIELD_NAME_PATTERN });

const projectSettings = {
  name: Name,
  site_address: nullable<string>('string', { format: 'uri', maxLength: 2_048, description: "The site's address" }),
  host_names: Type.Array(SingleLine({ minLength: 1, maxLength: 253 }), {
    maxItems: 100,
    description: "The site's host names; empty accepts a signature for any",
  }),
  time_zone: SingleLine({ maxLength: 100, description: 'IANA time zone', examples: ['Europe/Berlin'] }),
  trusted_proxies: TrustedProxiesSchema,
  redacted_headers: Type.Array(FieldName, {
    maxItems: 100,
    description: 'Names of headers, fields and parameters whose values are redacted, beside those of credentials',
  }),
  unredacted_headers: Type.Array(FieldName, {
    maxItems: 100,
    description:
      'Names whose values are kept although they look like credentials. Authorization, cookies and what the instance redacts cannot be kept',
  }),
  unknown_visitors: Type.Unsafe<UnknownVisitors>({
    type: 'string',
    enum: [...UNKNOWN_VISITORS],
    description:
      'Visits of unknown visitors, which are mostly people: `kept` like others, `reduced` to what is kept without the address and with only the headers that identification needs, or only `counted`. It applies to new visits',
  }),
};

export const ProjectSchema = Type.Object(
  {
    id: Id,
    ...projectSettings,
    is_demo: Type.Boolean({ description: 'Whether its visits are made up' }),
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

/** Networks that a token can be limited to. */
const MAX_TOKEN_NETWORKS = 50;

/** What an access token can be used for; every token operation needs one of these. */
export const TOKEN_PURPOSES = ['report', 'drain', 'ask', 'forward'] as const;
export type TokenPurpose = (typeof TOKEN_PURPOSES)[number];

const Purposes = (options: { minItems?: number; uniqueItems?: boolean; note?: string }) => {
  const { note = '', ...limits } = options;
  return Type.Array(Type.Unsafe<TokenPurpose>({ type: 'string', enum: [...TOKEN_PURPOSES] }), {
    ...limits,
    description:
      '`report`: report visits; `drain`: send log lines; `ask`: identify and verify requests, and get rules; `forward`: proxies ' +
      `that ask about each request${note}`,
  });
};

/** Of a token or key. */
export const Ends = nullable<string>('string', {
  format: 'date-time',
  description: 'When it stops working; null: never',
});
/** Of a new token or key. */
export const Expiry = Type.Optional(
  nullable<string>('string', { format: 'date-time', description: 'When it stops working, in the future; null: never' }),
);

export const AccessTokenSchema = Type.Object(
  {
    id: Id,
    project_id: Id,
    name: Name,
    hint: Type.String({ description: 'Last characters of the token, to tell tokens apart' }),
    created_at: Time,
    created_by: Maker,
    revoked_at: nullable<string>('string', { format: 'date-time' }),
    last_used_at: nullable<string>('string', { format: 'date-time', description: 'To the minute; null: never' }),
    expires_at: Ends,
    allowed_networks: Type.Array(Type.String(), { description: 'Where it may be used from; empty: anywhere' }),
    purposes: Purposes({}),
  },
  { $id: 'AccessToken' },
);
export const RevealedAccessTokenSchema = Type.Object(
  { ...AccessTokenSchema.properties, token: Type.String() },
  { $id: 'RevealedAccessToken' },
);
/** Access tokens of a project that work, at most; and as many that don't are remembered. */
export const MAX_ACCESS_TOKENS = 100;

export const NewAccessTokenSchema = Type.Object(
  {
    name: Type.Optional(Name),
    expires_at: Expiry,
    allowed_networks: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 43 }), {
        maxItems: MAX_TOKEN_NETWORKS,
        description: 'Addresses and networks that it may be used from, such as 192.0.2.0/24; empty or absent: anywhere',
      }),
    ),
    purposes: Type.Optional(Purposes({ minItems: 1, uniqueItems: true, note: '. Default: all' })),
  },
  { $id: 'NewAccessToken', additionalProperties: false },
);
export const AccessTokenListSchema = Type.Object({ tokens: Type.Array(AccessTokenSchema) }, { $id: 'AccessTokenList' });

export const VisitPageSchema = Type.Object(
  {
    visits: Type.Array(TimelineVisitSchema, { description: 'In the order asked for' }),
    next_cursor: nullable<string>('string', { description: 'The visits that follow; null at the end' }),
    previous_cursor: nullable<string>('string', { description: 'The visits before; more may arrive at any time' }),
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
    size: Type.Integer({ description: 'Bytes' }),
    reason: openEnum<string>(DEAD_LETTER_REASONS, 'Why it can never be processed'),
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
  { ...DeadLetterSchema.properties, value_base64: Type.String({ description: 'The bytes as they came' }) },
  { $id: 'DeadLetterWithBody' },
);
export const DeadLetterPageSchema = Type.Object(
  {
    dead_letters: Type.Array(DeadLetterSchema, { description: 'Newest first' }),
    next_cursor: nullable<string>('string'),
  },
  { $id: 'DeadLetterPage' },
);
export const DeadLetterReplaySchema = Type.Object(
  { ids: Type.Array(Id, { minItems: 1, maxItems: 1_000 }) },
  { $id: 'DeadLetterReplay', additionalProperties: false },
);
export const DeadLetterReplayResultSchema = Type.Object(
  { replayed: Type.Integer({ description: 'Dead letters put back on their topic' }) },
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
