import type { PolicyRule } from '#libs/contracts';
import { findBlockingRule, findRuleForAll } from './agent-rule.js';

const GPTBOT = { agent_token: 'GPTBot', agent_type_name: 'AI Data Scraper', operator_name: 'OpenAI' };
const rule = (parts: Partial<PolicyRule>): PolicyRule => ({
  id: '1',
  name: 'Rule',
  mode: 'live',
  action: { kind: 'refuse' },
  ...parts,
});
const BLOCK = rule({ visitors: { agent_tokens: ['gptbot'] } });
const ALLOW = rule({ visitors: { operators: ['OpenAI'] }, action: { kind: 'allow' } });

it.each<[string, PolicyRule[], boolean | undefined]>([
  ['a rule for the agent', [BLOCK], true],
  ['a rule for its type', [rule({ visitors: { agent_types: ['AI Data Scraper'] } })], true],
  ['a rule for its purpose', [rule({ visitors: { purposes: ['training'] } })], true],
  ['a rule for everyone', [rule({})], true],
  ['an exception', [{ ...ALLOW, exceptions: [BLOCK] }], true],
  ['a dry run', [{ ...BLOCK, mode: 'dry_run' }, ALLOW], false],
  ['no rule behind one that allows it', [ALLOW, BLOCK], undefined],
  ['no rule that is off', [{ ...BLOCK, mode: 'off' }], undefined],
  ['no rule for certain pages', [{ ...BLOCK, requests: { paths: ['/private/'] } }], undefined],
  ['no rule for certain results', [{ ...BLOCK, visitors: { results: ['verified'] } }], undefined],
  ['no rule for others', [rule({ visitors: { agent_tokens: ['ClaudeBot'] } })], undefined],
])('finds %s', (_, rules, isLive) => expect(findBlockingRule(rules, GPTBOT)?.isLive).toBe(isLive));

const SPOOFED = { ...GPTBOT, network: '203.0.113.0/24', results: ['verification_failed'] } as const;
const NETWORK = rule({ id: 'network', visitors: { networks: ['203.0.0.0/16'] } });

it.each<[string, PolicyRule[], string | undefined]>([
  ['a rule for their network', [NETWORK], 'network'],
  ['a rule for their result', [rule({ visitors: { results: ['verification_failed'] } })], '1'],
  ['a rule for the agent and their result', [{ ...BLOCK, visitors: { results: ['verification_failed'] } }], '1'],
  ['no rule for another result', [rule({ visitors: { results: ['not_verifiable'] } })], undefined],
  ['no rule for another network', [rule({ visitors: { networks: ['198.51.100.0/24'] } })], undefined],
])('finds %s of spoofed visits', (_, rules, id) => expect(findBlockingRule(rules, SPOOFED)?.rule.id).toBe(id));

it('finds a rule only if all requests are blocked', () => {
  const claims = [SPOOFED, { ...SPOOFED, agent_token: 'ClaudeBot', agent_type_name: null, operator_name: null }];
  expect(findRuleForAll([BLOCK], claims)).toBeNull();
  expect(findRuleForAll([BLOCK, NETWORK], claims)?.rule.id).toBe('1');
  expect(findRuleForAll([BLOCK, { ...NETWORK, mode: 'dry_run' }], claims)).toMatchObject({
    rule: { id: 'network' },
    isLive: false,
  });
  expect(findRuleForAll([BLOCK], [])).toBeNull();
});
