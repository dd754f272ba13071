import { SignedInSchema } from '../account.schema.js';
import { ApiKeyListSchema, MAX_PERSONAL_API_KEYS, NewApiKeySchema, RevealedApiKeySchema } from '../api-key.schema.js';
import { OwnAccountChangeSchema, OwnAccountSchema } from '../own-account.schema.js';
import { operation } from './operation.js';
import { BODY, idParameter } from './parameters.js';

const TAG = 'Own account';

export const getOwnAccount = operation({
  method: 'get',
  path: '/api/account',
  id: 'getOwnAccount',
  beforeSecondFactor: true,
  access: 'session',
  tag: TAG,
  summary: 'Get your account, sign-in methods and sessions',
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
    'Requires the current password if the account has one. The email address of an account that signs in with the ' +
    'OpenID Connect provider is set by the provider.',
  body: OwnAccountChangeSchema,
  answer: SignedInSchema,
  answerHeaders: {
    'Set-Cookie': 'Cookie that identifies this browser',
    'Retry-After': 'Number of seconds to wait before the next attempt. Sent with status 429.',
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
  params: { sessionId: idParameter('session') },
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
  limit: MAX_PERSONAL_API_KEYS,
  tag: TAG,
  summary: 'Create an API key that acts as you (its value is shown only once)',
  description:
    'The key is limited to its scopes, your permissions and the specified projects (all of your projects by default). If ' +
    'you lose a permission, so does the key. Operations on your account require a session and do not accept API keys.',
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
  summary: 'Revoke one of your API keys (takes effect within 5 seconds)',
  params: { keyId: idParameter('API key') },
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
