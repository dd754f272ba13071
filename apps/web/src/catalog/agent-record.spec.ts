import type { Agent } from '../api/catalog-queries.js';
import type { Versioned } from '../api/client.js';
import { toAgentFields, toAgentRecord, changeToken } from './agent-record.js';

const agent: Versioned<Agent> = {
  etag: '"1"',
  id: 'd71f20a7-654a-5091-93d7-c783f37c5200',
  token: 'ShopBot',
  type: 'Fetcher',
  operator: 'Shop',
  url: 'https://shop.example',
  user_agent_patterns: ['ShopBot', 'Shop(?:py)?Fetch'],
  sample_user_agents: ['a ShopBot', 'a ShoppyFetch'],
  robots_token: null,
  verification: {
    ip_ranges: ['192.0.2.0/24'],
    ip_ranges_as_of: '2026-11-21',
    ip_list_urls: [{ url: 'https://shop.example/ips', format: 'json:$.a [*]' }],
    reverse_dns_suffixes: ['shop.example'],
    signature_agents: ['shop.example'],
  },
  fallback_patterns: ['ShopBot'],
  excluded_prefixes: ['like '],
  generic: true,
  framework: true,
  sources: ['general-knowledge'],
  origin: 'bundled',
  is_edited: false,
  changed_at: '2026-11-21T00:00:00.000Z',
};

it('converts an agent to form fields and back without changes', () => {
  const { etag: _etag, id: _id, origin: _origin, is_edited: _edited, changed_at: _at, ...record } = agent;
  expect(toAgentRecord(toAgentFields(agent), agent)).toEqual(record);
});

it('omits a new agent’s empty fields, and the date for edited IP ranges', () => {
  const fields = { ...toAgentFields(null), token: ' NewBot ', user_agent_patterns: 'NewBot\n\n' };
  expect(toAgentRecord(fields, null)).toEqual({
    token: 'NewBot',
    type: 'Uncategorized',
    operator: null,
    url: null,
    user_agent_patterns: ['NewBot'],
    robots_token: null,
    verification: {},
  });
  const changed = toAgentRecord({ ...toAgentFields(agent), ip_ranges: '192.0.2.7/32' }, agent);
  expect(changed.verification).not.toHaveProperty('ip_ranges_as_of');
  expect(toAgentRecord({ ...fields, ip_list_urls: 'https://x.example/ips' }, null).verification.ip_list_urls).toEqual([
    { url: 'https://x.example/ips', format: 'json-prefixes' },
  ]);
  const signingRecord = toAgentRecord({ ...fields, user_agent_patterns: '', signature_agents: 'x.example' }, null);
  expect(signingRecord.signature_only).toBe(true);
});

it('uses a new agent’s name as its robots.txt token until another token is entered', () => {
  const typeToken = (fields: typeof none, token: string) => ({ ...fields, ...changeToken(fields, token) });
  const none = toAgentFields(null);
  const named = typeToken(typeToken(none, 'Shop'), 'ShopBot');
  expect(named).toMatchObject({ token: 'ShopBot', robots_token: 'ShopBot' });
  expect(toAgentRecord(named, null).robots_token).toBe('ShopBot');
  expect(typeToken({ ...named, robots_token: 'shop' }, 'ShopBot2').robots_token).toBe('shop');
  expect(typeToken({ ...named, robots_token: '' }, 'ShopBot2').robots_token).toBe('');
});
