import { SignInResponseSchema } from '../second-factor.schema.js';
import {
  AccountChangeSchema,
  AccountListSchema,
  ChangedAccountSchema,
  NewPasswordResetSchema,
  PendingPasswordResetSchema,
  PasswordResetSchema,
  RevealedPasswordResetSchema,
} from '../user.schema.js';
import { operation } from './operation.js';
import { BODY, idParameter, textParameter } from './parameters.js';

const USER = idParameter('account');
const TOKEN = textParameter('Token from the link');

export const listUsers = operation({
  method: 'get',
  path: '/api/users',
  id: 'listUsers',
  access: 'administrator',
  tag: 'Users',
  summary: 'List all user accounts',
  answer: AccountListSchema,
});

export const changeUser = operation({
  method: 'patch',
  path: '/api/users/{userId}',
  id: 'changeUser',
  confirms: true,
  access: 'administrator',
  tag: 'Users',
  summary: 'Promote an account to administrator or demote it',
  description:
    "Demotion immediately revokes the person's API keys, password reset links, and invitations to projects they don't own.",
  params: { userId: USER },
  body: AccountChangeSchema,
  answer: ChangedAccountSchema,
  problems: [404, 409, ...BODY],
});

export const removeUser = operation({
  method: 'delete',
  path: '/api/users/{userId}',
  id: 'removeUser',
  confirms: true,
  access: 'administrator',
  tag: 'Users',
  summary: 'Remove an account and its sessions, memberships, API keys and invitations',
  params: { userId: USER },
  status: 204,
  problems: [404, 409],
});

export const createPasswordReset = operation({
  method: 'post',
  path: '/api/password-resets',
  id: 'createPasswordReset',
  confirms: true,
  access: 'administrator',
  tag: 'Users',
  summary: 'Create a single-use password reset link that is valid for a day, and invalidate earlier links',
  body: NewPasswordResetSchema,
  status: 201,
  answer: RevealedPasswordResetSchema,
  problems: [404, 409, ...BODY],
});

export const getPasswordReset = operation({
  method: 'get',
  path: '/api/password-resets/{token}',
  id: 'getPasswordReset',
  access: 'public',
  tag: 'Users',
  summary: 'Get the account that a password reset link belongs to',
  params: { token: TOKEN },
  answer: PendingPasswordResetSchema,
  problems: [403, 404, 429],
});

export const resetPassword = operation({
  method: 'post',
  path: '/api/password-resets/{token}',
  id: 'resetPassword',
  access: 'public',
  tag: 'Users',
  summary:
    "Set a new password, end all of the account's sessions, and start a new one unless a second factor is required",
  params: { token: TOKEN },
  body: PasswordResetSchema,
  answer: SignInResponseSchema,
  answerHeaders: {
    'Set-Cookie': 'Session cookie',
    'Retry-After': 'Number of seconds to wait before the next attempt. Sent with status 429.',
  },
  problems: [403, 404, ...BODY, 429],
});

export const USER_OPERATIONS = [
  listUsers,
  changeUser,
  removeUser,
  createPasswordReset,
  getPasswordReset,
  resetPassword,
];
