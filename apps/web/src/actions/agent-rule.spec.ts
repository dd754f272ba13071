import type { PolicyRule } from '#libs/contracts';
import { findBlockingRule } from './agent-rule.js';

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
