import { Type } from 'typebox';
import { SignedInSchema } from '../account.schema.js';
import { NewSecondFactorSchema, RecoveryCodesSchema, SecondFactorCodeSchema } from '../second-factor.schema.js';
import { operation } from './operation.js';
import { BODY, idParameter } from './parameters.js';

const OWN = 'Own account';
const EMPTY_BODY = Type.Object({}, { additionalProperties: false });
const RETRY = { 'Retry-After': 'Number of seconds to wait before the next attempt. Sent with status 429.' };

export const finishSignIn = operation({
  method: 'post',
  path: '/api/session/second-factor',
  id: 'finishSignIn',
  access: 'public',
  tag: 'Session',
  summary: 'Finish signing in with a second-factor or recovery code',
  description:
    'Must be called within 10 minutes of the password check, from the same browser. After five incorrect codes, the password is required again.',
  body: SecondFactorCodeSchema,
  answer: SignedInSchema,
  answerHeaders: { 'Set-Cookie': 'Session cookie', ...RETRY },
  problems: [401, 403, ...BODY, 429],
});

export const beginSecondFactor = operation({
  method: 'post',
  path: '/api/account/second-factor',
  id: 'beginSecondFactor',
  beforeSecondFactor: true,
  confirms: true,
  access: 'session',
  limit: 1,
  tag: OWN,
  summary: 'Create a secret for an authenticator app',
  description:
    'The secret takes effect once you confirm it with a code from the app. Until then, each call replaces it.',
  body: EMPTY_BODY,
  status: 201,
  answer: NewSecondFactorSchema,
  problems: [409, ...BODY],
});

export const activateSecondFactor = operation({
  method: 'put',
  path: '/api/account/second-factor',
  id: 'activateSecondFactor',
  beforeSecondFactor: true,
  confirms: true,
  access: 'session',
  tag: OWN,
  summary: 'Turn on the second factor with a code from the app, and end all your other sessions',
  body: SecondFactorCodeSchema,
  answer: RecoveryCodesSchema,
  answerHeaders: RETRY,
  problems: [409, ...BODY, 429],
});

export const removeOwnSecondFactor = operation({
  method: 'delete',
  path: '/api/account/second-factor',
  id: 'removeOwnSecondFactor',
  confirms: true,
  access: 'session',
  tag: OWN,
  summary: 'Turn off your second factor',
  status: 204,
  problems: [404],
});

export const replaceRecoveryCodes = operation({
  method: 'post',
  path: '/api/account/second-factor/recovery-codes',
  id: 'replaceRecoveryCodes',
  confirms: true,
  access: 'session',
  limit: 1,
  tag: OWN,
  summary: 'Create recovery codes and invalidate earlier ones',
  body: EMPTY_BODY,
  status: 201,
  answer: RecoveryCodesSchema,
  problems: [404, ...BODY],
});

export const removeSecondFactor = operation({
  method: 'delete',
  path: '/api/users/{userId}/second-factor',
  id: 'removeSecondFactor',
  confirms: true,
  access: 'administrator',
  tag: 'Users',
  summary: "Remove an account's second factor",
  description:
    'Use this if someone has lost their second factor. Until they set up a new one, they sign in with only their password. Passkeys are not removed.',
  params: { userId: idParameter('account') },
  status: 204,
  problems: [404],
});

export const SECOND_FACTOR_OPERATIONS = [
  finishSignIn,
  beginSecondFactor,
  activateSecondFactor,
  removeOwnSecondFactor,
  replaceRecoveryCodes,
  removeSecondFactor,
];
