import type { PolicyRule } from '#libs/contracts';
import { createException, toRule, toRuleValues, validateRule } from './rule-values.js';

const RULE: PolicyRule = {
  id: '018f0000-0000-7000-8000-000000000001',
  name: 'Training',
  mode: 'live',
  when_unreachable: 'enforce',
  visitors: {
    agent_tokens: ['GPTBot'],
    purposes: ['training'],
    networks: ['203.0.113.0/24'],
    likely_automated: true,
    results: ['verified'],
  },
  requests: { paths: ['/docs/', '/*.pdf$'], methods: ['GET'], hosts: ['example.com'] },
  action: { kind: 'charge', price: 'USD 0.01', url: 'https://example.com/pricing' },
  exceptions: [
    {
      id: '018f0000-0000-7000-8000-000000000002',
      visitors: { agent_types: ['AI Assistant'] },
      action: { kind: 'redirect', status: 301, location: '/{path}.md' },
    },
  ],
};

it('converts a rule to form values and back', () => {
  expect(toRule(toRuleValues(RULE))).toEqual(RULE);
});

it('starts new rules in dry run', () => {
  expect(toRule({ ...toRuleValues(null), name: ' New ' })).toEqual({
    id: expect.stringMatching(/^[\da-f-]{36}$/),
    name: 'New',
    mode: 'dry_run',
    action: { kind: 'slow_down', requests_per_minute: 60 },
  });
});

it('normalizes methods, hosts and repeated lines', () => {
  const values = { ...toRuleValues(null), methods: 'get\nGET\n', hosts: 'Example.COM', paths: ' /a \n\n/a' };
  expect(toRule(values).requests).toEqual({ methods: ['GET'], hosts: ['example.com'], paths: ['/a'] });
});

it.each([
  [{ name: ' ' }, 'name'],
  [{ paths: 'docs' }, 'paths'],
  [{ requests_per_minute: '' }, 'requests_per_minute'],
  [{ kind: 'charge' as const, price: '', url: 'https://example.com/' }, 'price'],
  [{ kind: 'charge' as const, price: 'USD 1', url: 'javascript:1' }, 'url'],
  [{ kind: 'redirect' as const, location: '//evil.example/' }, 'location'],
  [{ kind: 'redirect' as const, location: '/\\evil.example/' }, 'location'],
  [{ kind: 'redirect' as const, location: '/{path}' }, 'location'],
  [{ exceptions: [createException()] }, 'exceptions.0.paths'],
])('rejects %j', (values, field) => {
  expect(Object.keys(validateRule({ ...toRuleValues(null), name: 'New', ...values }))).toEqual([field]);
});
