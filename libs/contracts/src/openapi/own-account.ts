import { SignedInSchema } from '../account.schema.js';
import { ApiKeyListSchema, MAX_OWN_API_KEYS, NewApiKeySchema, RevealedApiKeySchema } from '../api-key.schema.js';
import { OwnAccountChangeSchema, OwnAccountSchema } from '../own-account.schema.js';
import { operation } from './operation.js';
import { BODY, idOf } from './parameters.js';

const TAG = 'Own account';

export const getOwnAccount = operation({
  method: 'get',
  path: '/api/account',
  id: 'getOwnAccount',
  beforeSecondFactor: true,
  access: 'session',
  tag: TAG,
  summary: 'Get your account with its sign-in methods and sessions',
  answer: OwnAccountSchema,
});

export const changeOwnAccount = operation({
  method: 'patch',
  path: '/api/account',
  id: 'changeOwnAccount',
  access: 'session',
  tag: TAG,
  summary: 'Update your name or email address',
  description:
    'Requires the current password if the account has one. If the account signs in with the OpenID provider, its email ' +
    'address comes from the provider.',
  body: OwnAccountChangeSchema,
  answer: SignedInSchema,
  answerHeaders: {
    'Set-Cookie': 'Cookie that identifies this browser',
    'Retry-After': 'Seconds to wait. Sent with 429.',
  },
  problems: [409, ...BODY, 429],
});

export const endOwnSession = operation({
  method: 'delete',
  path: '/api/account/sessions/{sessionId}',
  id: 'endOwnSession',
  access: 'session',
  tag: TAG,
  summary: 'End one of your sessions',
  params: { sessionId: idOf('session') },
  status: 204,
  problems: [404],
});

export const listOwnApiKeys = operation({
  method: 'get',
  path: '/api/account/api-keys',
  id: 'listOwnApiKeys',
  access: 'session',
  tag: TAG,
  summary: 'List your API keys',
  answer: ApiKeyListSchema,
});

export const createOwnApiKey = operation({
  method: 'post',
  path: '/api/account/api-keys',
  id: 'createOwnApiKey',
  confirms: true,
  access: 'session',
  limit: MAX_OWN_API_KEYS,
  tag: TAG,
  summary: 'Create an API key that acts as you; its value is shown once',
  description:
    'The key is limited to its scopes, your own permissions and the named projects (default: all of yours). If you lose ' +
    'a permission, so does the key. Operations on your account require a session and accept no API key.',
  body: NewApiKeySchema,
  status: 201,
  answer: RevealedApiKeySchema,
  problems: [409, ...BODY],
});

export const revokeOwnApiKey = operation({
  method: 'delete',
  path: '/api/account/api-keys/{keyId}',
  id: 'revokeOwnApiKey',
  confirms: true,
  access: 'session',
  tag: TAG,
  summary: 'Revoke one of your API keys; it stops working within 5 s',
  params: { keyId: idOf('API key') },
  status: 204,
  problems: [404],
});

export const OWN_ACCOUNT_OPERATIONS = [
  getOwnAccount,
  changeOwnAccount,
  endOwnSession,
  listOwnApiKeys,
  createOwnApiKey,
  revokeOwnApiKey,
];
