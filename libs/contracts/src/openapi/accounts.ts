import {
  AcceptanceSchema,
  AcceptedSchema,
  MemberListSchema,
  MemberSchema,
  NewSetupCodeSchema,
  OpenInvitationSchema,
  PasswordChangeSchema,
  RevealedInvitationSchema,
  RoleChangeSchema,
  SessionSchema,
  SetupCodeSchema,
  SetupSchema,
  SignedInSchema,
  SignInSchema,
  ConfirmationSchema,
  MAX_INVITATIONS,
  CONFIRMED_MINUTES,
} from '../account.schema.js';
import { SignInResponseSchema } from '../second-factor.schema.js';
import { operation } from './operation.js';
import { BODY, idParameter, textParameter, singleParameter, PROJECT } from './parameters.js';

const USER = idParameter('member');
const COOKIE = { 'Set-Cookie': 'Session cookie' };
const RETRY = { 'Retry-After': 'Number of seconds to wait before the next attempt. Sent with status 429.' };
const TOKEN = textParameter('Token from the invitation link');

export const getSession = operation({
  method: 'get',
  path: '/api/session',
  id: 'getSession',
  access: 'public',
  tag: 'Session',
  summary: 'Get the current session and sign-in methods',
  answer: SessionSchema,
});

export const signIn = operation({
  method: 'post',
  path: '/api/session',
  id: 'signIn',
  access: 'public',
  tag: 'Session',
  summary: 'Sign in with a password',
  description: 'If the account has a second factor, this is the first of two steps and does not open a session.',
  body: SignInSchema,
  answer: SignInResponseSchema,
  answerHeaders: { ...COOKIE, ...RETRY },
  problems: [401, 403, ...BODY, 429],
});

export const signOut = operation({
  method: 'delete',
  path: '/api/session',
  id: 'signOut',
  access: 'public',
  tag: 'Session',
  summary: 'Sign out',
  status: 204,
  answerHeaders: RETRY,
  problems: [403, 429],
});

export const confirmSession = operation({
  method: 'post',
  path: '/api/session/confirmation',
  id: 'confirmSession',
  beforeSecondFactor: true,
  access: 'session',
  tag: 'Session',
  summary: 'Confirm your identity',
  description: `Requires your password, and a code if you have a second factor. Operations that require a confirmed session then work for ${CONFIRMED_MINUTES} minutes.`,
  body: ConfirmationSchema,
  status: 204,
  answerHeaders: RETRY,
  problems: [409, ...BODY, 429],
});

export const changePassword = operation({
  method: 'put',
  path: '/api/session/password',
  id: 'changePassword',
  access: 'session',
  tag: 'Session',
  summary: 'Change your password and end all your other sessions',
  description:
    'If you have a second factor, the session must have been confirmed within the last 10 minutes, by signing in or with `POST /api/session/confirmation`.',
  body: PasswordChangeSchema,
  status: 204,
  answerHeaders: { ...COOKIE, ...RETRY },
  problems: [409, ...BODY, 429],
});

export const startOidcSignIn = operation({
  method: 'get',
  path: '/api/session/oidc',
  id: 'startOidcSignIn',
  access: 'public',
  tag: 'Session',
  summary: 'Start sign-in with the OpenID Connect provider',
  query: { return_to: singleParameter('Dashboard path to redirect to after sign-in') },
  ignoresOtherQuery: true,
  status: 302,
  answerHeaders: { Location: 'Sign-in page of the OpenID Connect provider' },
  problems: [404, 422, 429],
});

export const finishOidcSignIn = operation({
  method: 'get',
  path: '/api/session/oidc/callback',
  id: 'finishOidcSignIn',
  access: 'public',
  audit: 'changes',
  tag: 'Session',
  summary: 'Finish sign-in with the OpenID Connect provider',
  query: {
    code: singleParameter('Authorization code from the provider'),
    state: singleParameter('State parameter of the authorization request'),
    error: singleParameter('Error code from the provider'),
  },
  ignoresOtherQuery: true,
  status: 302,
  answerHeaders: {
    Location:
      'Dashboard page, or `/sign-in?error=…` if the sign-in failed. The error is one of cancelled, email_missing, email_not_verified, expired, failed, not_confirmed, not_invited, other_identity, provider_unreachable, or second_factor.',
    ...COOKIE,
  },
  problems: [404, 422, 429],
});

export const setUp = operation({
  method: 'post',
  path: '/api/setup',
  id: 'setUp',
  access: 'public',
  tag: 'Session',
  summary: 'Create the first administrator with the setup code',
  body: SetupSchema,
  status: 201,
  answer: SignedInSchema,
  answerHeaders: { ...COOKIE, ...RETRY },
  problems: [403, 409, ...BODY, 429],
});

export const createSetupCode = operation({
  method: 'post',
  path: '/api/setup-codes',
  id: 'createSetupCode',
  access: 'administrator',
  tag: 'Session',
  summary: 'Create a setup code and invalidate earlier ones',
  body: NewSetupCodeSchema,
  status: 201,
  answer: SetupCodeSchema,
  problems: [409, ...BODY],
});

export const listMembers = operation({
  method: 'get',
  path: '/api/projects/{id}/members',
  id: 'listMembers',
  access: 'viewer',
  tag: 'Members',
  summary: "List a project's members and open invitations",
  params: { id: PROJECT },
  answer: MemberListSchema,
  problems: [404],
});

export const changeMember = operation({
  method: 'patch',
  path: '/api/projects/{id}/members/{userId}',
  id: 'changeMember',
  confirms: true,
  access: 'owner',
  tag: 'Members',
  summary: "Change a member's role (takes effect immediately)",
  params: { id: PROJECT, userId: USER },
  body: RoleChangeSchema,
  answer: MemberSchema,
  problems: [404, 409, ...BODY],
});

export const removeMember = operation({
  method: 'delete',
  path: '/api/projects/{id}/members/{userId}',
  id: 'removeMember',
  confirms: true,
  access: 'owner',
  orThemselves: 'userId',
  tag: 'Members',
  summary: 'Remove a member, or leave the project',
  params: { id: PROJECT, userId: USER },
  status: 204,
  problems: [404, 409],
});

export const createInvitation = operation({
  method: 'post',
  path: '/api/projects/{id}/invitations',
  id: 'createInvitation',
  confirms: true,
  access: 'owner',
  limit: MAX_INVITATIONS,
  tag: 'Members',
  summary: `Create a single-use invitation link that is valid for 7 days (up to ${MAX_INVITATIONS} open invitations per project)`,
  params: { id: PROJECT },
  body: RoleChangeSchema,
  status: 201,
  answer: RevealedInvitationSchema,
  problems: [404, 409, ...BODY],
});

export const revokeInvitation = operation({
  method: 'delete',
  path: '/api/projects/{id}/invitations/{invitationId}',
  id: 'revokeInvitation',
  access: 'owner',
  tag: 'Members',
  summary: 'Revoke an invitation',
  params: { id: PROJECT, invitationId: idParameter('invitation') },
  status: 204,
  problems: [404],
});

export const getInvitation = operation({
  method: 'get',
  path: '/api/invitations/{token}',
  id: 'getInvitation',
  access: 'public',
  tag: 'Members',
  summary: 'Get the project and role that an invitation is for',
  params: { token: TOKEN },
  answer: OpenInvitationSchema,
  problems: [404],
});

export const acceptInvitation = operation({
  method: 'post',
  path: '/api/invitations/{token}',
  id: 'acceptInvitation',
  access: 'public',
  tag: 'Members',
  summary: 'Accept an invitation with a new account or the current session',
  params: { token: TOKEN },
  body: AcceptanceSchema,
  answer: AcceptedSchema,
  answerHeaders: { ...COOKIE, ...RETRY },
  problems: [401, 403, 404, 409, ...BODY, 429],
});

const session = [getSession, signIn, signOut, confirmSession, changePassword, startOidcSignIn, finishOidcSignIn];

const setup = [setUp, createSetupCode];

const members = [listMembers, changeMember, removeMember];

const invitations = [createInvitation, revokeInvitation, getInvitation, acceptInvitation];

export const ACCOUNT_OPERATIONS = [...session, ...setup, ...members, ...invitations];
