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
    projects: Type.Integer({ description: 'Number of projects that the account is a member of' }),
    has_password: Type.Boolean({
      description:
        "Whether the account has a password. If it doesn't, it can sign in only through the OpenID Connect provider.",
    }),
    has_second_factor: Type.Boolean({ description: 'Whether sign-in with a password also requires a code' }),
    passkeys: Type.Integer({ description: 'Number of passkeys' }),
    created_at: Time,
    last_seen_at: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      description: 'Time at which a session was last created or renewed. Null if there is no session.',
    }),
    made: Type.Object(
      {
        api_keys: Count,
        password_resets: Count,
        invitations: Count,
        invitations_elsewhere: Type.Integer({
          description: 'Number of `invitations` to projects that the account does not own',
        }),
      },
      {
        description:
          'Active credentials and invitations created by the account. All of them are revoked when the account is removed. When the account is demoted, invitations to projects that it owns remain valid.',
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
      { description: 'Credentials and invitations that were revoked by the change' },
    ),
  },
  { $id: 'ChangedAccount' },
);
export const AccountListSchema = Type.Object(
  { users: Type.Array(AccountSchema, { description: 'Accounts, sorted by email address' }) },
  { $id: 'AccountList' },
);
export const AccountChangeSchema = Type.Object(
  { is_admin: Type.Boolean() },
  { $id: 'AccountChange', additionalProperties: false },
);
export const NewPasswordResetSchema = Type.Object({ email }, { $id: 'NewPasswordReset', additionalProperties: false });
export const RevealedPasswordResetSchema = Type.Object(
  {
    email,
    url: Type.String({ description: 'Single-use link for choosing a new password. Shown only once.' }),
    expires_at: Time,
  },
  { $id: 'RevealedPasswordReset' },
);
export const PendingPasswordResetSchema = Type.Object({ email, expires_at: Time }, { $id: 'OpenPasswordReset' });
export const PasswordResetSchema = Type.Object(
  { password: NewPassword },
  { $id: 'PasswordReset', additionalProperties: false },
);

export type Account = Static<typeof AccountSchema>;
export type ChangedAccount = Static<typeof ChangedAccountSchema>;
export type RevealedPasswordReset = Static<typeof RevealedPasswordResetSchema>;
export type PendingPasswordReset = Static<typeof PendingPasswordResetSchema>;
