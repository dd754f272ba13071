import { Client, CREDENTIALS, CREDENTIALS_ENV } from '../kit/client.js';
import { Instance } from '../kit/instance.js';

export interface SystemUnderTest {
  client: Client;
  dispose(): Promise<void>;
}

/**
 * What the system tests run against: the deployment named by `TARGET_URL`, `TARGET_ACCESS_TOKEN` and
 * `TARGET_API_KEY`, or an embedded instance of their own.
 */
export async function systemUnderTest(env: Record<string, string> = {}): Promise<SystemUnderTest> {
  const { TARGET_URL: url, TARGET_ACCESS_TOKEN: accessToken, TARGET_API_KEY: apiKey } = process.env;
  if (url && accessToken && apiKey)
    return { client: new Client({ url, accessToken, apiKey }), dispose: async () => {} };
  const instance = await Instance.start({ env: { ...CREDENTIALS_ENV, ...env } });
  return { client: new Client({ url: instance.url, ...CREDENTIALS }), dispose: () => instance.dispose() };
}
