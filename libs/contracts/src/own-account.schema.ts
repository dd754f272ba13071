import { Type, type Static } from 'typebox';
import { UserSchema } from './account.schema.js';
import { PasskeySchema } from './passkey.schema.js';
import { OwnSecondFactorSchema, type OwnSecondFactor } from './second-factor.schema.js';

const Time = Type.String({ format: 'date-time' });
const { email, name } = UserSchema.properties;
const TextOrNull = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description });

export const OwnSessionSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    is_current: Type.Boolean({ description: 'Whether this session made the request' }),
    address: TextOrNull('Client address at sign-in'),
    user_agent: TextOrNull('User-Agent at sign-in'),
    created_at: Time,
    last_seen_at: Type.String({
      format: 'date-time',
      description: 'Time at which the session was created or last renewed, accurate to the day',
    }),
  },
  { $id: 'OwnSession' },
);
export const OwnAccountSchema = Type.Object(
  {
    user: UserSchema,
    has_password: Type.Boolean({
      description: 'Whether the account has a password. If so, changes require `current_password`.',
    }),
    provider: TextOrNull(
      'Name of the OpenID Connect provider that the account signs in with and gets its email address from. Null if there is none.',
    ),
    second_factor: Type.Unsafe<OwnSecondFactor | null>({
      anyOf: [OwnSecondFactorSchema, { type: 'null' }],
      description: 'Second factor. Null if none is set up.',
    }),
    passkeys: Type.Array(PasskeySchema, { description: 'Passkeys, oldest first' }),
    sessions: Type.Array(OwnSessionSchema, { description: 'Sessions, most recently active first' }),
  },
  { $id: 'OwnAccount' },
);
export const OwnAccountChangeSchema = Type.Object(
  {
    name: Type.Optional(name),
    email: Type.Optional(email),
    current_password: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'Current password. Required if the account has a password.',
      }),
    ),
  },
  { $id: 'OwnAccountChange', additionalProperties: false, minProperties: 1 },
);

export type OwnAccount = Static<typeof OwnAccountSchema>;
export type OwnSession = Static<typeof OwnSessionSchema>;
export type OwnAccountChange = Static<typeof OwnAccountChangeSchema>;
