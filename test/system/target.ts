import { Client, type Target } from '../kit/client.js';

/**
 * Returns a client of what the system tests run against: the deployment named by `TARGET_URL`, `TARGET_ACCESS_TOKEN` and
 * `TARGET_API_KEY`, or the instance of the run. Each file has a project of its own in it, as others run at the same time.
 */
export async function systemUnderTest(name: string): Promise<Client> {
  const { TARGET_URL: url, TARGET_ACCESS_TOKEN: accessToken, TARGET_API_KEY: apiKey, TEST_INSTANCE } = process.env;
  const target: Target =
    url && accessToken && apiKey ? { url, accessToken, apiKey } : (JSON.parse(TEST_INSTANCE!) as Target);
  const client = new Client(target);
  const { id } = await client.api<{ id: string }>('/projects', { method: 'POST', body: { name } });
  const { token } = await client.api<{ token: string }>(`/projects/${id}/tokens`, { method: 'POST', body: {} });
  return new Client({ ...target, projectId: id, accessToken: token });
}
