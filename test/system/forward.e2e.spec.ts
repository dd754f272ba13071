import { BROWSER, type Client } from '../kit/client.js';
import { until } from '../kit/instance.js';
import { createTestClient } from './target.js';

let client: Client;

beforeAll(async () => {
  client = await createTestClient('Forward');
});

const sendSubrequest = (userAgent: string, path: string, token = client.target.accessToken): Promise<Response> =>
  fetch(`${client.target.url}/agent-verifications/forward`, {
    headers: {
      authorization: `Bearer ${token}`,
      'user-agent': userAgent,
      'x-original-uri': path,
      'x-forwarded-for': '203.0.113.7',
    },
  });

it('applies saved rules to requests that a proxy forwards for verification', async () => {
  const initialResponse = await sendSubrequest('GPTBot/1.2', '/private/a');
  expect([initialResponse.status, initialResponse.headers.get('agent-traffic-agent')]).toEqual([204, 'GPTBot']);
  const rules = { agent_types: ['AI Data Scraper'], disallow: '/private/', format: 'grouped' };
  await client.api(`/projects/${await client.projectId()}/rules-versions`, { method: 'POST', body: rules });
  await until(async () => (await sendSubrequest('GPTBot/1.2', '/private/a')).status === 403, {
    condition: 'the rules take effect',
  });
  const responses = await Promise.all([
    sendSubrequest('GPTBot/1.2', '/'),
    sendSubrequest('GPTBot/1.2', '/robots.txt'),
    sendSubrequest(BROWSER, '/private/a'),
    sendSubrequest('GPTBot/1.2', '/private/a', 'agt_unknown'),
  ]);
  expect(responses.map(({ status }) => status)).toEqual([204, 204, 204, 401]);
  expect(await client.visits()).toEqual([]);
});
