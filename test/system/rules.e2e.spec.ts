import { Client } from '../kit/client.js';
import { parseRobots } from '../kit/parse-robots.js';
import { createTestClient } from './target.js';

let client: Client;

beforeAll(async () => {
  client = await createTestClient('Rules');
});

it('returns a robots.txt that a parser interprets as intended', async () => {
  const body = { agent_types: ['AI Data Scraper'], excluded_operator_names: ['openai'], disallow: '/private/' };
  const response = await client.post('/robots-txts', body);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  const robots = parseRobots('https://shop.example/robots.txt', await response.text());
  const mayFetch = (path: string, agent: string) => robots.isAllowed(`https://shop.example${path}`, agent);
  expect([mayFetch('/private/a', 'ClaudeBot'), mayFetch('/', 'ClaudeBot')]).toEqual([false, true]);
  expect([mayFetch('/private/a', 'GPTBot'), mayFetch('/private/a', 'Googlebot')]).toEqual([true, true]);
});

it('returns token lists and server configuration snippets', async () => {
  const body = { agent_types: ['AI Data Scraper'], excluded_agent_tokens: ['gptbot'] };
  const response = await client.post('/user-agent-token-lists', body);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  const tokens = (await response.json()) as string[];
  expect(tokens).toContain('ClaudeBot');
  expect(tokens).not.toContain('GPTBot');
  const map = await client.post('/user-agent-token-lists', { ...body, format: 'nginx-map' });
  expect([map.status, map.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(await map.text()).toContain('ClaudeBot');
});

it('reports each invalid field with its pointer', async () => {
  const response = await client.post('/robots-txts', { agent_types: ['AI'], disallow: '/\nUser-agent: *' });
  expect([response.status, response.headers.get('content-type')]).toEqual([
    422,
    expect.stringMatching(/problem\+json/),
  ]);
  expect(await response.json()).toMatchObject({
    errors: [{ pointer: '/agent_types/0' }, { pointer: '/disallow' }],
  });
});
