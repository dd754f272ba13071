import { checkAgent } from '#libs/catalog';
import type { AgentRecord } from '#libs/contracts';
import { changedRecord, newRecord } from './agent-record.js';

const shop: AgentRecord = {
  token: 'ShopBot',
  type: 'Fetcher',
  operator: 'Shop',
  url: 'https://shop.example',
  user_agent_patterns: ['ShopBot', 'Shop(?:py)?Fetch'],
  sample_user_agents: ['a ShopBot', 'a ShoppyFetch'],
  robots_token: 'ShopBot',
  verification: { ip_ranges: ['192.0.2.0/24'], ip_ranges_as_of: '2026-11-21', reverse_dns_suffixes: ['shop.example'] },
  sources: ['general-knowledge'],
};

it('creates records without faults', () => {
  const record = newRecord('ShopBot', 'Fetcher', {
    pattern: ['Shop(?:py)?Bot', 'Shop\\.Fetch'],
    sample: ['a ShoppyBot/1'],
    ipRange: ['192.0.2.0/24'],
    ipList: [{ url: 'https://shop.example/ips', format: 'text' }],
  });
  expect(record).toEqual({
    token: 'ShopBot',
    type: 'Fetcher',
    operator: null,
    url: null,
    user_agent_patterns: ['Shop(?:py)?Bot', 'Shop\\.Fetch'],
    sample_user_agents: ['a ShoppyBot/1', 'Shop.Fetch'],
    robots_token: 'ShopBot',
    verification: { ip_list_urls: [{ url: 'https://shop.example/ips', format: 'text' }], ip_ranges: ['192.0.2.0/24'] },
  });
  const signed = newRecord('Signer', 'AI Agent', { signatureAgent: ['signer.example'] });
  expect(signed).toMatchObject({ user_agent_patterns: [], signature_only: true });
  const library = newRecord('shoplib', 'Automated Agent', { pattern: ['shoplib\\/'], generic: true });
  expect(library).toMatchObject({
    user_agent_patterns: ['shoplib\\/'],
    sample_user_agents: ['shoplib/'],
    generic: true,
  });
  for (const made of [record, signed, library]) expect(checkAgent(made).faults).toEqual([]);
});

it('sets the given fields, clears the named ones and leaves the rest', () => {
  expect(changedRecord(shop, {})).toEqual(shop);
  expect(changedRecord(shop, { operator: 'New' }, ['url', 'dns-suffix', 'robots-token'])).toEqual({
    ...shop,
    operator: 'New',
    url: null,
    robots_token: null,
    verification: { ip_ranges: ['192.0.2.0/24'], ip_ranges_as_of: '2026-11-21' },
  });
  // New ranges are current, so the date of the old ones is removed.
  expect(changedRecord(shop, { ipRange: ['192.0.2.7'] }).verification).toEqual({
    ip_ranges: ['192.0.2.7'],
    reverse_dns_suffixes: ['shop.example'],
  });
  expect(changedRecord(shop, { pattern: ['Shop(?:py)?Fetch', 'NewBot'] })).toMatchObject({
    sample_user_agents: ['a ShoppyFetch', 'NewBot'],
  });
});

it('marks an agent as generic, and as specific again', () => {
  const generic = changedRecord(shop, { generic: true });
  expect(generic).toEqual({ ...shop, generic: true });
  expect(changedRecord(generic, {}, ['generic'])).toEqual(shop);
  const framework = { ...generic, framework: true };
  expect(changedRecord(framework, { operator: 'New' })).toEqual({ ...framework, operator: 'New' });
  expect(changedRecord(framework, {}, ['generic'])).toEqual(shop);
});

it('sets excluded prefixes, and keeps fallback patterns only while they are still patterns', () => {
  const excluding = changedRecord(shop, { excludedPrefix: ['like ', '~'] });
  expect(excluding).toEqual({ ...shop, excluded_prefixes: ['like ', '~'] });
  expect(changedRecord(excluding, { operator: 'New' })).toEqual({ ...excluding, operator: 'New' });
  expect(changedRecord(excluding, {}, ['excluded-prefix'])).toEqual(shop);
  const last = { ...shop, fallback_patterns: ['ShopBot'] };
  expect(changedRecord(last, { operator: 'New' })).toEqual({ ...last, operator: 'New' });
  expect(changedRecord(last, { pattern: ['NewBot'] })).not.toHaveProperty('fallback_patterns');
});

it('keeps robots_only until the agent gets a pattern', () => {
  const robots = { ...shop, user_agent_patterns: [], sample_user_agents: undefined, robots_only: true };
  expect(changedRecord(robots, { operator: 'New' })).toEqual({ ...robots, operator: 'New' });
  expect(changedRecord(robots, { pattern: ['ShopBot'] })).not.toHaveProperty('robots_only');
});

it.each([
  [{}, 'Nothing identifies this agent'],
  [{ pattern: ['Shop('] }, 'The pattern "Shop(" has a capturing group "(" at position 5: write (?: instead.'],
  [{ pattern: ['Shop(?:py)?\u001b'] }, 'The pattern "Shop(?:py)?\\x1b" has a character outside printable ASCII'],
  [{ pattern: ['Shop(?:py)?'] }, 'The pattern "Shop(?:py)?" is not plain text'],
  [{ pattern: ['Shop'], sample: ['Shop/1', 'Nobody'] }, 'No pattern is found in the sample "Nobody"'],
])('explains what is wrong with %j', (options, message) => {
  expect(() => newRecord('X', 'Fetcher', options)).toThrow(message);
});
