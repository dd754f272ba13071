import type { PolicyRule } from '#libs/contracts';
import type { ComplianceAgent } from '../../api/compliance.js';
import { chooseTarget, findNewRules } from './proof-agents.js';

const rule = (parts: Partial<PolicyRule>): PolicyRule => ({
  id: 'a',
  name: 'A',
  mode: 'live',
  action: { kind: 'refuse' },
  ...parts,
});
const choose = (rules: PolicyRule[], asked?: string[], agents: Partial<ComplianceAgent>[] = []) =>
  chooseTarget({ rules, selection: { agent_types: [], format: 'blocks' } }, agents as ComplianceAgent[], asked);

it('chooses agents that are blocked everywhere, and one that gets through', () => {
  const byType = rule({ visitors: { agent_types: ['AI Data Scraper'] } });
  const named = rule({ visitors: { agent_tokens: ['CCBot'] } });
  expect(choose([named, byType])).toEqual({ agents: ['CCBot', 'GPTBot', 'Googlebot'], path: '/' });
  const visiting = { agent_type_name: 'AI Data Scraper', agent_token: 'ClaudeBot', allowed: 5, disallowed: 0 };
  expect(choose([byType], undefined, [visiting]).agents).toEqual(['ClaudeBot', 'Googlebot']);
});

it('chooses a matching path if agents are only restricted on some pages', () => {
  const archive = rule({ visitors: { agent_tokens: ['GPTBot'] }, requests: { paths: ['/archive/*'] } });
  expect(choose([archive])).toEqual({ agents: ['GPTBot', 'Googlebot'], path: '/archive/example' });
});

it('proves the asked agents, with another one that gets through', () => {
  expect(choose([rule({ visitors: { agent_tokens: ['Googlebot'] } })], ['Googlebot']).agents).toEqual([
    'Googlebot',
    'bingbot',
  ]);
  expect(choose([]).agents).toEqual(['GPTBot', 'Googlebot']);
});

it('still chooses the other restricted agents when another one is blocked', () => {
  const rules = ['CCBot', 'Bytespider', 'Scrapy', 'PerplexityBot'].map((token) =>
    rule({ visitors: { agent_tokens: [token] } }),
  );
  const before = choose(rules).agents;
  const added = rule({ visitors: { agent_tokens: ['GPTBot'] } });
  expect(choose([added, ...rules]).agents).toEqual(['GPTBot', ...before]);
  expect(choose([...rules, added], ['GPTBot']).agents).toEqual(['GPTBot', ...before]);
});

it('finds rules that were added, changed or switched to live', () => {
  const before = [rule({ id: 'same' }), rule({ id: 'dry', mode: 'dry_run' })];
  const after = [rule({ id: 'same' }), rule({ id: 'dry' }), rule({ id: 'new', mode: 'dry_run' })];
  expect(findNewRules(before, after).map(({ id }) => id)).toEqual(['dry']);
});
