import type { PolicyRule } from '#libs/contracts';
import { findNewDecision } from './new-decision.js';

const RULE: PolicyRule = {
  id: 'rule',
  name: 'Training',
  mode: 'live',
  visitors: { agent_tokens: ['GPTBot'] },
  action: { kind: 'refuse' },
  exceptions: [{ id: 'exception', visitors: { agent_tokens: ['GPTBot'] }, action: { kind: 'allow' } }],
};

const find = (path: string, decisions: readonly { mode: string; rule_id: string }[] = [], rules = [RULE]) =>
  findNewDecision(rules, {
    visit: { request_path: path },
    client_address: null,
    decisions,
    identification: { agent_token: 'GPTBot', agent_type_name: null, operator_name: null, result: 'verified' },
  } as never);

it('finds a decision that a rule would make now', () => {
  expect(find('/a')?.rule.id).toBe('rule');
  expect(find('/.well-known/../a')?.rule.id).toBe('rule');
  expect(find('//')?.rule.id).toBe('rule');
  expect(find('/a', [{ mode: 'dry_run', rule_id: 'rule' }])?.rule.id).toBe('rule');
});

it.each(['rule', 'exception'])('ignores a decision that was already made by the %s', (id) => {
  expect(find('/a', [{ mode: 'live', rule_id: id }])).toBeNull();
});

it.each(['/robots.txt?a', 'robots.txt', '/.well-known/agent.json'])('ignores rules for %s', (path) => {
  expect(find(path)).toBeNull();
});

it('names no rule if another one for certain requests could decide first', () => {
  const forPaths: Pick<PolicyRule, 'requests' | 'action'> = { requests: { paths: ['/a'] }, action: { kind: 'allow' } };
  expect(find('/a', [], [{ ...forPaths, id: 'first', name: 'Pages', mode: 'live' }, RULE])).toBeNull();
  expect(find('/a', [], [{ ...forPaths, id: 'first', name: 'Pages', mode: 'dry_run' }, RULE])?.rule.id).toBe('rule');
  expect(find('/a', [], [{ ...RULE, exceptions: [{ ...forPaths, id: 'exception' }] }])).toBeNull();
});
