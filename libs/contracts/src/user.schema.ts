import { Type, type Static } from 'typebox';
import { NewPassword, UserSchema } from './account.schema.js';

const Time = Type.String({ format: 'date-time' });
const Count = Type.Integer();
const { id, email, name, is_admin } = UserSchema.properties;

export const AccountSchema = Type.Object(
  {
    id,
    email,
    name,
    is_admin,
    projects: Type.Integer({ description: 'Projects of which they are a member' }),
    has_password: Type.Boolean({ description: 'false: signs in with the OpenID provider alone' }),
    has_second_factor: Type.Boolean({ description: 'Signing in with the password takes a code, too' }),
    passkeys: Type.Integer({ description: 'How many they have, to sign in without the password' }),
    created_at: Time,
    last_seen_at: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      description: 'When a session was last made or renewed; null without one',
    }),
    made: Type.Object(
      {
        api_keys: Count,
        password_resets: Count,
        invitations: Count,
        invitations_elsewhere: Type.Integer({ description: 'Of these, to projects of which they are not an owner' }),
      },
      {
        description:
          'What they made that works. All of it ends with the account; all but invitations to their own projects ends when they are an administrator no longer',
      },
    ),
  },
  { $id: 'Account' },
);
export const ChangedAccountSchema = Type.Object(
  {
    ...AccountSchema.properties,
    ended: Type.Object(
      { api_keys: Count, invitations: Count, password_resets: Count },
      { description: 'What they had made and may no longer give: it stopped working with the change' },
    ),
  },
  { $id: 'ChangedAccount' },
);
export const AccountListSchema = Type.Object(
  { users: Type.Array(AccountSchema, { description: 'By address' }) },
  { $id: 'AccountList' },
);
export const AccountChangeSchema = Type.Object(
  { is_admin: Type.Boolean() },
  { $id: 'AccountChange', additionalProperties: false },
);
export const NewPasswordResetSchema = Type.Object({ email }, { $id: 'NewPasswordReset', additionalProperties: false });
export const RevealedPasswordResetSchema = Type.Object(
  { email, url: Type.String({ description: 'Where a new password is chosen, once; shown once' }), expires_at: Time },
  { $id: 'RevealedPasswordReset' },
);
export const OpenPasswordResetSchema = Type.Object({ email, expires_at: Time }, { $id: 'OpenPasswordReset' });
export const PasswordResetSchema = Type.Object(
  { password: NewPassword },
  { $id: 'PasswordReset', additionalProperties: false },
);

export type Account = Static<typeof AccountSchema>;
export type ChangedAccount = Static<typeof ChangedAccountSchema>;
export type RevealedPasswordReset = Static<typeof RevealedPasswordResetSchema>;
export type OpenPasswordReset = Static<typeof OpenPasswordResetSchema>;
