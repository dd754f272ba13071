import { randomBytes } from 'node:crypto';

export const CREDENTIALS = {
  accessToken: `test-token-${randomBytes(12).toString('hex')}`,
  apiKey: `test-key-${randomBytes(12).toString('hex')}`,
};

export const CREDENTIALS_ENV = { PROJECT_ACCESS_TOKEN: CREDENTIALS.accessToken, API_KEY: CREDENTIALS.apiKey };
