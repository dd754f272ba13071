import { Type, type Static } from 'typebox';
import { Creator, ProjectRoleSchema } from './account.schema.js';
import { TimelineVisitSchema } from './client-network.schema.js';
import { UNKNOWN_VISITORS, type UnknownVisitors } from './enriched-visit.schema.js';
import { openEnum } from './open-enum.js';
import { ADDRESS_HEADER_PATTERN, FIELD_NAME_PATTERN } from './patterns.js';
import { Name, SingleLine } from './text.schema.js';
import { DEAD_LETTER_REASONS } from './topics.js';

const Id = Type.String({ format: 'uuid' });
const Time = Type.String({ format: 'date-time' });
const nullable = <T>(type: string, extra: object = {}) => Type.Unsafe<T | null>({ type: [type, 'null'], ...extra });

/** Trust settings for finding the client address behind proxies. */
export const TrustedProxiesSchema = Type.Object(
  {
    mode: Type.Optional(
      Type.Unsafe<'default' | 'none'>({
        type: 'string',
        enum: ['default', 'none'],
        description: '`none`: the site is not behind a proxy, so all forwarding headers are ignored',
      }),
    ),
    networks: Type.Optional(
      Type.Array(SingleLine({ minLength: 1, maxLength: 100 }), {
        maxItems: 50,
        uniqueItems: true,
        description:
          'Operators of the CDNs, load balancers and platforms in front of the site, by their catalog names, e.g. Cloudflare. Headers of other networks are ignored. Empty: only your own proxies are trusted. Default: all known networks are trusted.',
      }),
    ),
    hops: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10, description: 'Number of trusted proxies in front of the site' }),
    ),
    ranges: Type.Optional(
      Type.Array(SingleLine({ maxLength: 100 }), {
        maxItems: 1_000,
        description: 'Additional trusted ranges, in CIDR notation',
      }),
    ),
    header: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        pattern: ADDRESS_HEADER_PATTERN,
        description: 'Only header to trust for the client address, e.g. cf-connecting-ip',
      }),
    ),
  },
  { $id: 'TrustedProxies', additionalProperties: false },
);

const FieldName = Type.String({ minLength: 1, maxLength: 100, pattern: FIELD_NAME_PATTERN });

const projectSettings = {
  name: Name,
  site_address: nullable<string>('string', { format: 'uri', maxLength: 2_048, description: 'URL of the site' }),
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
      'Names whose values are kept although they look like credentials. Authorization, cookies and names that the instance redacts are always redacted.',
  }),
  unknown_visitors: Type.Unsafe<UnknownVisitors>({
    type: 'string',
    enum: [...UNKNOWN_VISITORS],
    description:
      'Storage of new visits by unknown visitors, who are mostly people. `kept`: stored like other visits. `reduced`: stored without the address and with only the headers that identification needs. `counted`: only counted.',
  }),
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

/** Maximum number of allowed networks per token. */
const MAX_TOKEN_NETWORKS = 50;

/** Purposes of access tokens. Each token operation requires one of them. */
export const TOKEN_PURPOSES = ['report', 'drain', 'ask', 'forward'] as const;
export type TokenPurpose = (typeof TOKEN_PURPOSES)[number];

const Purposes = (options: { minItems?: number; uniqueItems?: boolean; note?: string }) => {
  const { note = '', ...limits } = options;
  return Type.Array(Type.Unsafe<TokenPurpose>({ type: 'string', enum: [...TOKEN_PURPOSES] }), {
    ...limits,
    description:
      '`report`: report visits. `drain`: send log lines. `ask`: identify and verify requests, and get rules. `forward`: check ' +
      `each request at a proxy.${note}`,
  });
};

/** Expiry time of a token or key. */
export const ExpiresAt = nullable<string>('string', {
  format: 'date-time',
  description: 'Expiry time, or null if it never expires',
});
/** Expiry time of a new token or key. */
export const NewExpiresAt = Type.Optional(
  nullable<string>('string', { format: 'date-time', description: 'Expiry time, in the future. Default: never.' }),
);

export const AccessTokenSchema = Type.Object(
  {
    id: Id,
    project_id: Id,
    name: Name,
    hint: Type.String({ description: 'Last characters of the token' }),
    created_at: Time,
    created_by: Creator,
    revoked_at: nullable<string>('string', { format: 'date-time' }),
    last_used_at: nullable<string>('string', {
      format: 'date-time',
      description: 'Time of last use, to the minute, or null if never used',
    }),
    expires_at: ExpiresAt,
    allowed_networks: Type.Array(Type.String(), {
      description: 'Addresses and networks that can use the token. Empty: any.',
    }),
    purposes: Purposes({}),
  },
  { $id: 'AccessToken' },
);
export const RevealedAccessTokenSchema = Type.Object(
  { ...AccessTokenSchema.properties, token: Type.String() },
  { $id: 'RevealedAccessToken' },
);
/** Maximum number of active access tokens per project. The same number of inactive ones is kept. */
export const MAX_ACCESS_TOKENS = 100;

export const NewAccessTokenSchema = Type.Object(
  {
    name: Type.Optional(Name),
    expires_at: NewExpiresAt,
    allowed_networks: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 43 }), {
        maxItems: MAX_TOKEN_NETWORKS,
        description: 'Addresses and networks that can use the token, such as 192.0.2.0/24. Default: any.',
      }),
    ),
    purposes: Type.Optional(Purposes({ minItems: 1, uniqueItems: true, note: ' Default: all.' })),
  },
  { $id: 'NewAccessToken', additionalProperties: false },
);
export const AccessTokenListSchema = Type.Object({ tokens: Type.Array(AccessTokenSchema) }, { $id: 'AccessTokenList' });

export const VisitPageSchema = Type.Object(
  {
    visits: Type.Array(TimelineVisitSchema, { description: 'In the requested order' }),
    next_cursor: nullable<string>('string', { description: 'Cursor of the next page, or null at the end' }),
    previous_cursor: nullable<string>('string', {
      description: 'Cursor of the previous page. New visits can appear there at any time.',
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
    reason: openEnum<string>(DEAD_LETTER_REASONS, 'Reason why it cannot be processed'),
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
  { ...DeadLetterSchema.properties, value_base64: Type.String({ description: 'Original bytes, in Base64' }) },
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
