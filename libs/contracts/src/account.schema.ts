import { Type, type Static } from 'typebox';
import { EMAIL_PATTERN } from './patterns.js';
import { Name } from './text.schema.js';

/** What a person may do in a project, the most first. */
export const PROJECT_ROLES = ['owner', 'member', 'viewer'] as const;
export type ProjectRole = (typeof PROJECT_ROLES)[number];

/** Open invitations of a project, at most. */
export const MAX_INVITATIONS = 100;

/** Name of the session's cookie; behind https it has the prefix `__Host-`. */
export const SESSION_COOKIE = 'agent_traffic_session';

/** For how long somebody who showed who they are can do what takes it. */
export const CONFIRMED_MINUTES = 10;

const Id = Type.String({ format: 'uuid' });
const Time = Type.String({ format: 'date-time' });
/** Who made a credential. */
export const Maker = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description: 'Email address of the person who created it, or who created the API key that did; null if unknown',
});
const Email = Type.String({
  pattern: EMAIL_PATTERN,
  maxLength: 254,
  description: 'Upper and lower case are the same',
});
/** Characters of a new password. */
export const PASSWORD_LENGTH = { min: 12, max: 128 } as const;

/** Long enough to do without rules about characters; NIST SP 800-63B, section 3.1.1. */
export const NewPassword = Type.String({ minLength: PASSWORD_LENGTH.min, maxLength: PASSWORD_LENGTH.max });
/** One that was chosen before. */
const Password = Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH.max });

export const ProjectRoleSchema = Type.Unsafe<ProjectRole>({
  $id: 'ProjectRole',
  type: 'string',
  enum: [...PROJECT_ROLES],
  description:
    'owner: all of it. member: reads, changes settings, sees and makes tokens. viewer: reads, but no token values.',
});

export const UserSchema = Type.Object(
  {
    id: Id,
    email: Email,
    name: Name,
    is_admin: Type.Boolean({ description: 'May do everything on the instance' }),
  },
  { $id: 'User' },
);
export const SignedInSchema = Type.Object({ user: UserSchema }, { $id: 'SignedIn' });

export const SessionSchema = Type.Object(
  {
    user: Type.Unsafe<Static<typeof UserSchema> | null>({
      anyOf: [UserSchema, { type: 'null' }],
      description: 'null: nobody is signed in',
    }),
    second_factor_due: Type.Boolean({
      description: 'The person who is signed in has to set up a second factor, and can do nothing else until then',
    }),
    setup_required: Type.Boolean({ description: 'There is no administrator yet: the setup code makes the first' }),
    oidc: Type.Unsafe<{ name: string } | null>({
      type: ['object', 'null'],
      properties: { name: { type: 'string' } },
      required: ['name'],
      description: 'The OpenID provider to sign in with, where there is one',
    }),
  },
  { $id: 'Session' },
);

export const SetupSchema = Type.Object(
  {
    code: Type.String({ minLength: 1, maxLength: 100, description: 'The setup code, as the start printed it' }),
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
      Type.String({ minLength: 1, maxLength: 100, description: 'Required where the account has a second factor' }),
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
      description: 'Open invitations to the project that they made, and that end when they are an owner no longer',
    }),
  },
  { $id: 'Member' },
);
export const InvitationSchema = Type.Object(
  { id: Id, role: ProjectRoleSchema, created_at: Time, created_by: Maker, expires_at: Time },
  { $id: 'Invitation' },
);
export const MemberListSchema = Type.Object(
  {
    members: Type.Array(MemberSchema),
    invitations: Type.Array(InvitationSchema, { description: 'Those that can still be accepted' }),
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
    url: Type.String({ format: 'uri', description: 'Opens once; shown this once' }),
    expires_at: Time,
  },
  { $id: 'RevealedInvitation' },
);
export const OpenInvitationSchema = Type.Object(
  { project_name: Type.String(), role: ProjectRoleSchema, expires_at: Time },
  { $id: 'OpenInvitation' },
);
/** All fields create an account; none of them accepts the invitation for the account that is signed in. */
export const AcceptanceSchema = Type.Object(
  { name: Type.Optional(Name), email: Type.Optional(Email), password: Type.Optional(NewPassword) },
  {
    $id: 'Acceptance',
    additionalProperties: false,
    dependentRequired: { name: ['email', 'password'], email: ['name', 'password'], password: ['name', 'email'] },
  },
);
export const AcceptedSchema = Type.Object({ user: UserSchema, project_id: Id }, { $id: 'Accepted' });

/** Nothing to say. */
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
