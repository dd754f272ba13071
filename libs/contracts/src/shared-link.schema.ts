import { Type, type Static } from 'typebox';
import { Creator, NewPassword, PASSWORD_LENGTH } from './account.schema.js';
import { OverviewSchema } from './statistics.schema.js';
import { Name } from './text.schema.js';

/** Maximum number of shared links per project. */
export const MAX_SHARED_LINKS = 50;

/** Time ranges for shared overviews, in days. The selection is small so that viewers share cached responses. */
export const SHARED_RANGES = { '24h': 1, '7d': 7, '30d': 30, '90d': 90 } as const;
export type SharedRange = keyof typeof SHARED_RANGES;

/** Request header that contains the pass for a password-protected link. */
export const PASS_HEADER = 'x-shared-pass';

const Time = Type.String({ format: 'date-time' });
const timeOrNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description });

const link = {
  id: Type.String({ format: 'uuid' }),
  name: Name,
  has_password: Type.Boolean(),
  is_badge: Type.Boolean({ description: 'Whether the link is only a badge, without a page' }),
  badge_url: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Badge URL. It does not reveal the link. Null for links with a password, which have no badge.',
  }),
  created_at: Time,
  created_by: Creator,
  expires_at: timeOrNull('Time at which the link expires. Null if it never expires.'),
  last_opened_at: timeOrNull(
    "Time at which the link was last opened, accurate to the minute. Null if it has never been opened. Badge requests don't count.",
  ),
};

export const SharedLinkSchema = Type.Object(link, { $id: 'SharedLink' });
export const RevealedSharedLinkSchema = Type.Object(
  {
    ...link,
    url: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description:
        'URL of the shared page, including its secret. It is not stored and is shown only once. Null for badges.',
    }),
  },
  { $id: 'RevealedSharedLink' },
);
export const NewSharedLinkSchema = Type.Object(
  {
    name: Name,
    is_badge: Type.Optional(
      Type.Boolean({
        description: 'Whether to create only a badge, without a page. Badges have no password. Default: false.',
      }),
    ),
    password: Type.Optional(NewPassword),
    expires_in_days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 3_650,
        description: 'Number of days until the link expires. By default, it never expires.',
      }),
    ),
  },
  { $id: 'NewSharedLink', additionalProperties: false },
);
export const SharedLinkListSchema = Type.Object(
  {
    shared_links: Type.Array(SharedLinkSchema, {
      description: `Up to ${MAX_SHARED_LINKS} shared links, newest first`,
    }),
  },
  { $id: 'SharedLinkList' },
);

export const SharedPasswordSchema = Type.Object(
  { password: Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH.max }) },
  { $id: 'SharedPassword', additionalProperties: false },
);
export const SharedPassSchema = Type.Object(
  { pass: Type.String({ description: `Value for the \`${PASS_HEADER}\` header` }), expires_at: Time },
  { $id: 'SharedPass' },
);

export const SharedOverviewSchema = Type.Object(
  {
    project_name: Name,
    overview: OverviewSchema,
    has_earlier_data: Type.Boolean({
      description: 'False if the comparison range starts before the first visit, so changes would be misleading',
    }),
  },
  { $id: 'SharedOverview' },
);

export type SharedLink = Static<typeof SharedLinkSchema>;
export type RevealedSharedLink = Static<typeof RevealedSharedLinkSchema>;
export type SharedPass = Static<typeof SharedPassSchema>;
export type SharedOverview = Static<typeof SharedOverviewSchema>;
