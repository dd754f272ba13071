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
    is_current: Type.Boolean({ description: 'The session of this request' }),
    address: TextOrNull('Client address that it was opened from'),
    user_agent: TextOrNull('User-Agent that it was opened with'),
    created_at: Time,
    last_seen_at: Type.String({ format: 'date-time', description: 'When it was last made or renewed, to the day' }),
  },
  { $id: 'OwnSession' },
);
export const OwnAccountSchema = Type.Object(
  {
    user: UserSchema,
    has_password: Type.Boolean({ description: 'Whether changes take `current_password`' }),
    provider: TextOrNull(
      'Name of the OpenID provider that the account signs in with, which sets its e-mail address; or null',
    ),
    second_factor: Type.Unsafe<OwnSecondFactor | null>({
      anyOf: [OwnSecondFactorSchema, { type: 'null' }],
      description: 'What signing in takes beside the password; null: nothing',
    }),
    passkeys: Type.Array(PasskeySchema, { description: 'What it can sign in with instead; the oldest first' }),
    sessions: Type.Array(OwnSessionSchema, { description: 'The last seen first' }),
  },
  { $id: 'OwnAccount' },
);
export const OwnAccountChangeSchema = Type.Object(
  {
    name: Type.Optional(name),
    email: Type.Optional(email),
    current_password: Type.Optional(
      Type.String({ minLength: 1, maxLength: 128, description: 'Required where the account has a password' }),
    ),
  },
  { $id: 'OwnAccountChange', additionalProperties: false, minProperties: 1 },
);

export type OwnAccount = Static<typeof OwnAccountSchema>;
export type OwnSession = Static<typeof OwnSessionSchema>;
export type OwnAccountChange = Static<typeof OwnAccountChangeSchema>;
