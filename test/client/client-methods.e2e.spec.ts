import { AgentTraffic } from '../../libs/client/src/client.js';
import { createTestClient } from '../system/target.js';

let client: AgentTraffic;

beforeAll(async () => {
  const { url, accessToken } = (await createTestClient('Asking')).target;
  client = new AgentTraffic({ url, token: accessToken });
});

const page = (userAgent: string): Request =>
  new Request('https://site.example/page', {
    headers: { 'user-agent': userAgent, 'x-forwarded-for': '203.0.113.7', authorization: 'Bearer abc' },
  });

it('identifies one or more requests and verifies a single one', async () => {
  expect(await client.identify(page('GPTBot/1.2'))).toMatchObject({
    agent_token: 'GPTBot',
    agent_type_name: 'AI Data Scraper',
    operator_name: 'OpenAI',
  });
  expect(await client.identify([page('GPTBot/1.2'), page('Firefox')])).toMatchObject([
    { agent_token: 'GPTBot' },
    { result: 'unknown_agent' },
  ]);
  expect(await client.verify(page('GPTBot/1.2'))).toMatchObject({ agent_token: 'GPTBot' });
});

it('fetches robots.txt rules and tokens', async () => {
  const agents = { agent_types: ['AI Data Scraper'], excluded_operator_names: ['OpenAI'] } as const;
  const text = await client.robotsTxt({ ...agents, disallow: '/private/' });
  expect(text).toContain('User-agent: CCBot\nDisallow: /private/\n');
  expect(text).not.toContain('GPTBot');
  expect(await client.tokens(agents)).toContain('CCBot');
});

it('blocks unverified agents of the given types', async () => {
  const guard = client.block({ types: ['AI Data Scraper'], unless: 'verified', timeoutMs: 60_000 });
  expect(await guard.refusal(page('GPTBot/1.2'))).toMatchObject({ status: 403 });
  expect(await guard.refusal(page('Googlebot/2.1'))).toBeNull();
  expect(await guard.refusal(page('Firefox'))).toBeNull();
});
