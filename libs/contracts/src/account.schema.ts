import { Type, type Static } from 'typebox';
import { EMAIL_PATTERN } from './patterns.js';
import { Name } from './text.schema.js';

/** Project roles, from most to least privileged. */
export const PROJECT_ROLES = ['owner', 'member', 'viewer'] as const;
export type ProjectRole = (typeof PROJECT_ROLES)[number];

/** Maximum number of open invitations per project. */
export const MAX_INVITATIONS = 100;

/** Session cookie name, prefixed with `__Host-` over HTTPS. */
export const SESSION_COOKIE = 'agent_traffic_session';

/**
 * Period during which a session counts as confirmed for sensitive operations after a sign-in or password entry, in
 * minutes.
 */
export const CONFIRMED_MINUTES = 10;

const Id = Type.String({ format: 'uuid' });
const Time = Type.String({ format: 'date-time' });
export const Creator = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description: 'Email address of the person who created it, directly or with an API key. Null if unknown.',
});
const Email = Type.String({
  pattern: EMAIL_PATTERN,
  maxLength: 254,
  description: 'Email address. Case-insensitive.',
});
/** Minimum and maximum length of a new password, in characters. */
export const PASSWORD_LENGTH = { min: 12, max: 128 } as const;

/** Password without composition rules, as recommended by NIST SP 800-63B, section 3.1.1. */
export const NewPassword = Type.String({ minLength: PASSWORD_LENGTH.min, maxLength: PASSWORD_LENGTH.max });
/** Existing password, which may predate the minimum length. */
const Password = Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH.max });

export const ProjectRoleSchema = Type.Unsafe<ProjectRole>({
  $id: 'ProjectRole',
  type: 'string',
  enum: [...PROJECT_ROLES],
  description:
    '`owner` has full access to the project. `member` can read data, change settings, and view and create access tokens. `viewer` can read everything except token values.',
});

export const UserSchema = Type.Object(
  {
    id: Id,
    email: Email,
    name: Name,
    is_admin: Type.Boolean({ description: 'Whether the user is an administrator with full access to the instance' }),
  },
  { $id: 'User' },
);
export const SignedInSchema = Type.Object({ user: UserSchema }, { $id: 'SignedIn' });

export const SessionSchema = Type.Object(
  {
    user: Type.Unsafe<Static<typeof UserSchema> | null>({
      anyOf: [UserSchema, { type: 'null' }],
      description: 'Signed-in user. Null if nobody is signed in.',
    }),
    second_factor_due: Type.Boolean({
      description: 'Whether the user must set up a second factor before doing anything else',
    }),
    setup_required: Type.Boolean({
      description: 'Whether the first administrator account still has to be created with the setup code',
    }),
    oidc: Type.Unsafe<{ name: string } | null>({
      type: ['object', 'null'],
      properties: { name: { type: 'string' } },
      required: ['name'],
      description: 'OpenID Connect provider for sign-in. Null if none is configured.',
    }),
  },
  { $id: 'Session' },
);

export const SetupSchema = Type.Object(
  {
    code: Type.String({ minLength: 1, maxLength: 100, description: 'Setup code printed at startup' }),
    email: Email,
    name: Name,
    password: NewPassword,
  },
  { $id: 'Setup', additionalProperties: false },
);
export const SignInSchema = Type.Object(
  { email: Type.String({ minLength: 1, maxLength: 254 }), password: Password },
  { $id: 'SignIn', additionalProperties: false },
);
export const PasswordChangeSchema = Type.Object(
  { current_password: Password, new_password: NewPassword },
  { $id: 'PasswordChange', additionalProperties: false },
);

export const ConfirmationSchema = Type.Object(
  {
    password: Password,
    code: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Second-factor code. Required if the account has a second factor.',
      }),
    ),
  },
  { $id: 'Confirmation', additionalProperties: false },
);

export const MemberSchema = Type.Object(
  {
    user_id: Id,
    email: Email,
    name: Name,
    role: ProjectRoleSchema,
    invitations: Type.Integer({
      description:
        'Number of open project invitations created by this member. They are revoked if the member loses the owner role.',
    }),
  },
  { $id: 'Member' },
);
export const InvitationSchema = Type.Object(
  { id: Id, role: ProjectRoleSchema, created_at: Time, created_by: Creator, expires_at: Time },
  { $id: 'Invitation' },
);
export const MemberListSchema = Type.Object(
  {
    members: Type.Array(MemberSchema),
    invitations: Type.Array(InvitationSchema, { description: 'Open invitations' }),
  },
  { $id: 'MemberList' },
);
export const RoleChangeSchema = Type.Object(
  { role: ProjectRoleSchema },
  { $id: 'RoleChange', additionalProperties: false },
);
export const RevealedInvitationSchema = Type.Object(
  {
    id: Id,
    role: ProjectRoleSchema,
    url: Type.String({ format: 'uri', description: 'Single-use invitation link. Shown only once.' }),
    expires_at: Time,
  },
  { $id: 'RevealedInvitation' },
);
export const OpenInvitationSchema = Type.Object(
  { project_name: Type.String(), role: ProjectRoleSchema, expires_at: Time },
  { $id: 'OpenInvitation' },
);
/**
 * Acceptance of an invitation. All three fields create an account. Without any fields, the signed-in user accepts the
 * invitation.
 */
export const AcceptanceSchema = Type.Object(
  { name: Type.Optional(Name), email: Type.Optional(Email), password: Type.Optional(NewPassword) },
  {
    $id: 'Acceptance',
    additionalProperties: false,
    dependentRequired: { name: ['email', 'password'], email: ['name', 'password'], password: ['name', 'email'] },
  },
);
export const AcceptedSchema = Type.Object({ user: UserSchema, project_id: Id }, { $id: 'Accepted' });

export const NewSetupCodeSchema = Type.Object({}, { $id: 'NewSetupCode', additionalProperties: false });
export const SetupCodeSchema = Type.Object({ code: Type.String(), expires_at: Time }, { $id: 'SetupCode' });

export type User = Static<typeof UserSchema>;
export type Session = Static<typeof SessionSchema>;
export type Member = Static<typeof MemberSchema>;
export type Invitation = Static<typeof InvitationSchema>;
export type MemberList = Static<typeof MemberListSchema>;
export type RevealedInvitation = Static<typeof RevealedInvitationSchema>;
export type OpenInvitation = Static<typeof OpenInvitationSchema>;
export type Accepted = Static<typeof AcceptedSchema>;
export type SetupCode = Static<typeof SetupCodeSchema>;
