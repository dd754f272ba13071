import { Client, type Target } from '../kit/client.js';

/**
 * Returns a client for a new project in the system under test. Test files run concurrently, so each one needs its own
 * project.
 *
 * `TARGET_URL`, `TARGET_ACCESS_TOKEN` and `TARGET_API_KEY` select a deployment. By default, all test files share one
 * instance.
 */
export async function createTestClient(name: string): Promise<Client> {
  const { TARGET_URL: url, TARGET_ACCESS_TOKEN: accessToken, TARGET_API_KEY: apiKey, TEST_INSTANCE } = process.env;
  const target: Target =
    url && accessToken && apiKey ? { url, accessToken, apiKey } : (JSON.parse(TEST_INSTANCE!) as Target);
  const client = new Client(target);
  const { id } = await client.api<{ id: string }>('/projects', { method: 'POST', body: { name } });
  const { token } = await client.api<{ token: string }>(`/projects/${id}/tokens`, { method: 'POST', body: {} });
  return new Client({ ...target, projectId: id, accessToken: token });
}
