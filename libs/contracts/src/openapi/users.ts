import { SignedInSchema } from '../account.schema.js';
import {
  AccountChangeSchema,
  AccountListSchema,
  ChangedAccountSchema,
  NewPasswordResetSchema,
  OpenPasswordResetSchema,
  PasswordResetSchema,
  RevealedPasswordResetSchema,
} from '../user.schema.js';
import type { Operation, Parameter } from './operation.js';
import { BODY, uuid } from './parameters.js';

const USER = uuid('userId', 'The account');
const TOKEN: Parameter = {
  in: 'path',
  name: 'token',
  description: 'From the address of the link',
  schema: { type: 'string' },
  required: true,
};

/** Everybody's accounts, for administrators. */
export const USER_OPERATIONS: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/users',
    id: 'listUsers',
    access: 'administrator',
    tag: 'Users',
    summary: 'List the accounts of the instance',
    status: 200,
    answer: AccountListSchema,
    problems: [],
  },
  {
    method: 'patch',
    path: '/api/users/{userId}',
    id: 'changeUser',
    access: 'administrator',
    tag: 'Users',
    summary:
      'Change whether somebody is an administrator. Demotion immediately ends their API keys, password reset links, and invitations to projects that they do not own',
    parameters: [USER],
    body: AccountChangeSchema,
    status: 200,
    answer: ChangedAccountSchema,
    problems: [404, 409, ...BODY],
  },
  {
    method: 'delete',
    path: '/api/users/{userId}',
    id: 'removeUser',
    access: 'administrator',
    tag: 'Users',
    summary: 'Remove an account with its sessions, memberships, API keys and invitations',
    parameters: [USER],
    status: 204,
    problems: [404, 409],
  },
  {
    method: 'post',
    path: '/api/password-resets',
    id: 'createPasswordReset',
    access: 'administrator',
    tag: 'Users',
    summary: 'Make a link by which somebody chooses a new password, once and for a day; an earlier one no longer works',
    body: NewPasswordResetSchema,
    status: 201,
    answer: RevealedPasswordResetSchema,
    problems: [404, 409, ...BODY],
  },
  {
    method: 'get',
    path: '/api/password-resets/{token}',
    id: 'getPasswordReset',
    access: 'public',
    tag: 'Users',
    summary: 'Whose password the link is for',
    parameters: [TOKEN],
    status: 200,
    answer: OpenPasswordResetSchema,
    problems: [403, 404, 429],
  },
  {
    method: 'post',
    path: '/api/password-resets/{token}',
    id: 'resetPassword',
    access: 'public',
    tag: 'Users',
    summary: 'Choose a new password; all sessions of the account end, and a new one begins',
    parameters: [TOKEN],
    body: PasswordResetSchema,
    status: 200,
    answer: SignedInSchema,
    headers: { 'Set-Cookie': "The session's cookie", 'Retry-After': 'Seconds, with 429' },
    problems: [403, 404, ...BODY, 429],
  },
];
