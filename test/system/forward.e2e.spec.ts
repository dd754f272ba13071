import { BROWSER, type Client } from '../kit/client.js';
import { until } from '../kit/instance.js';
import { systemUnderTest } from './target.js';

let client: Client;

beforeAll(async () => {
  client = await systemUnderTest('Forward');
});

const ask = (userAgent: string, path: string, token = client.target.accessToken): Promise<Response> =>
  fetch(`${client.target.url}/agent-verifications/forward`, {
    headers: {
      authorization: `Bearer ${token}`,
      'user-agent': userAgent,
      'x-original-uri': path,
      'x-forwarded-for': '203.0.113.7',
    },
  });

it('applies saved rules to requests that a proxy asks about', async () => {
  const before = await ask('GPTBot/1.2', '/private/a');
  expect([before.status, before.headers.get('agent-traffic-agent')]).toEqual([204, 'GPTBot']);
  const rules = { agent_types: ['AI Data Scraper'], disallow: '/private/', format: 'grouped' };
  await client.api(`/projects/${await client.projectId()}/rules-versions`, { method: 'POST', body: rules });
  await until(async () => (await ask('GPTBot/1.2', '/private/a')).status === 403, { what: 'the rules are in use' });
  const answers = await Promise.all([
    ask('GPTBot/1.2', '/'),
    ask('GPTBot/1.2', '/robots.txt'),
    ask(BROWSER, '/private/a'),
    ask('GPTBot/1.2', '/private/a', 'agt_unknown'),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 401]);
  expect(await client.visits()).toEqual([]);
});
