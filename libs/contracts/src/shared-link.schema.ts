import { Type, type Static } from 'typebox';
import { Maker, NewPassword, PASSWORD_LENGTH } from './account.schema.js';
import { OverviewSchema } from './statistics.schema.js';
import { Name } from './text.schema.js';

/** Links of a project to its overview, at most. */
export const MAX_SHARED_LINKS = 50;

/** Ranges of a shared overview, in days: few, so that many who look are answered with the same numbers. */
export const SHARED_RANGES = { '24h': 1, '7d': 7, '30d': 30, '90d': 90 } as const;
export type SharedRange = keyof typeof SHARED_RANGES;

/** Header with the pass of a link that has a password. */
export const PASS_HEADER = 'x-shared-pass';

const Time = Type.String({ format: 'date-time' });
const timeOrNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description });

const link = {
  id: Type.String({ format: 'uuid' }),
  name: Name,
  has_password: Type.Boolean(),
  created_at: Time,
  created_by: Maker,
  expires_at: timeOrNull('When it stops working; null: never'),
  last_opened_at: timeOrNull('To the minute; the badge does not count. null: never'),
};

export const SharedLinkSchema = Type.Object(link, { $id: 'SharedLink' });
export const RevealedSharedLinkSchema = Type.Object(
  {
    ...link,
    url: Type.String({ description: 'Address of the page, with its secret; not stored, and shown this once' }),
    badge_url: Type.String({
      description: 'Address of the badge. It does not reveal the link. A link with a password has no badge.',
    }),
  },
  { $id: 'RevealedSharedLink' },
);
export const NewSharedLinkSchema = Type.Object(
  {
    name: Name,
    password: Type.Optional(NewPassword),
    expires_in_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3_650, description: 'Without, it never ends' })),
  },
  { $id: 'NewSharedLink', additionalProperties: false },
);
export const SharedLinkListSchema = Type.Object(
  { shared_links: Type.Array(SharedLinkSchema, { description: `The newest first, ${MAX_SHARED_LINKS} at most` }) },
  { $id: 'SharedLinkList' },
);

export const SharedPasswordSchema = Type.Object(
  { password: Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH.max }) },
  { $id: 'SharedPassword', additionalProperties: false },
);
export const SharedPassSchema = Type.Object(
  { pass: Type.String({ description: `For the header ${PASS_HEADER}` }), expires_at: Time },
  { $id: 'SharedPass' },
);

export const SharedOverviewSchema = Type.Object(
  { project_name: Name, overview: OverviewSchema },
  { $id: 'SharedOverview' },
);

export type SharedLink = Static<typeof SharedLinkSchema>;
export type RevealedSharedLink = Static<typeof RevealedSharedLinkSchema>;
export type SharedPass = Static<typeof SharedPassSchema>;
export type SharedOverview = Static<typeof SharedOverviewSchema>;
