import { checkAgent } from '#libs/catalog';
import type { AgentRecord } from '#libs/contracts';
import { updateRecord, createRecord } from './agent-record.js';

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

it('creates valid agent records', async () => {
  const record = createRecord('ShopBot', 'Fetcher', {
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
  const signed = createRecord('Signer', 'AI Agent', { signatureAgent: ['signer.example'] });
  expect(signed).toMatchObject({ user_agent_patterns: [], signature_only: true });
  const library = createRecord('shoplib', 'Automated Agent', { pattern: ['shoplib\\/'], generic: true });
  expect(library).toMatchObject({
    user_agent_patterns: ['shoplib\\/'],
    sample_user_agents: ['shoplib/'],
    generic: true,
  });
  for (const made of [record, signed, library]) expect((await checkAgent(made)).faults).toEqual([]);
});

it('sets, replaces and clears behaviors', async () => {
  const added = createRecord('ShopBot', 'Fetcher', { pattern: ['ShopBot'], behavior: ['search', 'training'] });
  expect(added.behaviors).toEqual(['search', 'training']);
  expect((await checkAgent(added)).faults).toEqual([]);
  expect(updateRecord(added, { operator: 'Shop' }).behaviors).toEqual(['search', 'training']);
  expect(updateRecord(added, { behavior: ['monitoring'] }).behaviors).toEqual(['monitoring']);
  expect(updateRecord(added, {}, ['behavior'])).not.toHaveProperty('behaviors');
});

it('sets the given fields, clears the named fields and preserves the rest', () => {
  expect(updateRecord(shop, {})).toEqual(shop);
  expect(updateRecord(shop, { operator: 'New' }, ['url', 'dns-suffix', 'robots-token'])).toEqual({
    ...shop,
    operator: 'New',
    url: null,
    robots_token: null,
    verification: { ip_ranges: ['192.0.2.0/24'], ip_ranges_as_of: '2026-11-21' },
  });
  // The new ranges are considered current, so the date of the old ones is removed.
  expect(updateRecord(shop, { ipRange: ['192.0.2.7'] }).verification).toEqual({
    ip_ranges: ['192.0.2.7'],
    reverse_dns_suffixes: ['shop.example'],
  });
  expect(updateRecord(shop, { pattern: ['Shop(?:py)?Fetch', 'NewBot'] })).toMatchObject({
    sample_user_agents: ['a ShoppyFetch', 'NewBot'],
  });
});

it("sets and clears an agent's generic flag", () => {
  const generic = updateRecord(shop, { generic: true });
  expect(generic).toEqual({ ...shop, generic: true });
  expect(updateRecord(generic, {}, ['generic'])).toEqual(shop);
  const framework = { ...generic, framework: true };
  expect(updateRecord(framework, { operator: 'New' })).toEqual({ ...framework, operator: 'New' });
  expect(updateRecord(framework, {}, ['generic'])).toEqual(shop);
});

it("sets excluded prefixes and drops fallback patterns that are no longer among the agent's patterns", () => {
  const excluding = updateRecord(shop, { excludedPrefix: ['like ', '~'] });
  expect(excluding).toEqual({ ...shop, excluded_prefixes: ['like ', '~'] });
  expect(updateRecord(excluding, { operator: 'New' })).toEqual({ ...excluding, operator: 'New' });
  expect(updateRecord(excluding, {}, ['excluded-prefix'])).toEqual(shop);
  const last = { ...shop, fallback_patterns: ['ShopBot'] };
  expect(updateRecord(last, { operator: 'New' })).toEqual({ ...last, operator: 'New' });
  expect(updateRecord(last, { pattern: ['NewBot'] })).not.toHaveProperty('fallback_patterns');
});

it('keeps robots_only set until the agent gets a pattern', () => {
  const robots = { ...shop, user_agent_patterns: [], sample_user_agents: undefined, robots_only: true };
  expect(updateRecord(robots, { operator: 'New' })).toEqual({ ...robots, operator: 'New' });
  expect(updateRecord(robots, { pattern: ['ShopBot'] })).not.toHaveProperty('robots_only');
});

it.each([
  [{}, 'This agent has no pattern or signature agent'],
  [{ pattern: ['Shop('] }, 'The pattern "Shop(" has a capturing group "(" at position 5: write (?: instead.'],
  [{ pattern: ['Shop(?:py)?\u001b'] }, 'The pattern "Shop(?:py)?\\x1b" has a character outside printable ASCII'],
  [{ pattern: ['Shop(?:py)?'] }, 'The pattern "Shop(?:py)?" is not plain text'],
  [{ pattern: ['Shop'], sample: ['Shop/1', 'Nobody'] }, 'The sample "Nobody" matches no pattern'],
])('explains why it rejects the agent options %j', (options, message) => {
  expect(() => createRecord('X', 'Fetcher', options)).toThrow(message);
});
