import { Type } from 'typebox';
import { SignedInSchema } from '../account.schema.js';
import {
  MAX_PASSKEYS,
  NewPasskeySchema,
  PasskeyNameSchema,
  PasskeyOptionsSchema,
  PasskeySchema,
  PasskeySignInSchema,
} from '../passkey.schema.js';
import { operation } from './operation.js';
import { BODY, idParameter } from './parameters.js';

const OWN = 'Own account';
const EMPTY_BODY = Type.Object({}, { additionalProperties: false });
const HEADERS = {
  'Set-Cookie': "Cookie that ties the device's response to these options",
  'Retry-After': 'Number of seconds to wait before the next attempt. Sent with status 429.',
};
const PASSKEY = { passkeyId: idParameter('passkey') };

export const beginPasskeySignIn = operation({
  method: 'post',
  path: '/api/session/passkey/options',
  id: 'beginPasskeySignIn',
  access: 'public',
  audit: 'nothing',
  tag: 'Session',
  summary: 'Get the options for signing in with a passkey',
  body: EMPTY_BODY,
  answer: PasskeyOptionsSchema,
  answerHeaders: HEADERS,
  problems: [403, 409, ...BODY, 429],
});

export const signInWithPasskey = operation({
  method: 'post',
  path: '/api/session/passkey',
  id: 'signInWithPasskey',
  access: 'public',
  tag: 'Session',
  summary: 'Sign in with a passkey',
  description:
    'A passkey replaces both the password and the second factor. The options expire after five minutes and work only in the same browser.',
  body: PasskeySignInSchema,
  answer: SignedInSchema,
  answerHeaders: {
    'Set-Cookie': 'Session cookie',
    'Retry-After': 'Number of seconds to wait before the next attempt. Sent with status 429.',
  },
  problems: [401, 403, 409, ...BODY, 429],
});

export const beginPasskey = operation({
  method: 'post',
  path: '/api/account/passkeys/options',
  id: 'beginPasskey',
  confirms: true,
  access: 'session',
  audit: 'nothing',
  tag: OWN,
  summary: 'Get the options for registering a passkey',
  body: EMPTY_BODY,
  answer: PasskeyOptionsSchema,
  answerHeaders: HEADERS,
  problems: [409, ...BODY],
});

export const createPasskey = operation({
  method: 'post',
  path: '/api/account/passkeys',
  id: 'createPasskey',
  confirms: true,
  access: 'session',
  limit: MAX_PASSKEYS,
  tag: OWN,
  summary: 'Register a passkey',
  body: NewPasskeySchema,
  status: 201,
  answer: PasskeySchema,
  problems: [409, ...BODY],
});

export const renamePasskey = operation({
  method: 'patch',
  path: '/api/account/passkeys/{passkeyId}',
  id: 'renamePasskey',
  access: 'session',
  tag: OWN,
  summary: 'Rename one of your passkeys',
  params: PASSKEY,
  body: PasskeyNameSchema,
  status: 204,
  problems: [404, ...BODY],
});

export const removePasskey = operation({
  method: 'delete',
  path: '/api/account/passkeys/{passkeyId}',
  id: 'removePasskey',
  confirms: true,
  access: 'session',
  tag: OWN,
  summary: 'Remove one of your passkeys',
  params: PASSKEY,
  status: 204,
  problems: [404],
});

export const removePasskeys = operation({
  method: 'delete',
  path: '/api/users/{userId}/passkeys',
  id: 'removePasskeys',
  confirms: true,
  access: 'administrator',
  tag: 'Users',
  summary: "Remove all of an account's passkeys and end the sessions opened with them",
  description: 'Use this if someone has lost a device. The password and second factor do not change.',
  params: { userId: idParameter('account') },
  status: 204,
  problems: [404],
});

export const PASSKEY_OPERATIONS = [
  beginPasskeySignIn,
  signInWithPasskey,
  beginPasskey,
  createPasskey,
  renamePasskey,
  removePasskey,
  removePasskeys,
];
