import type { PolicyForecast } from '../../api/policy-forecast.js';
import type { ProofRequest } from '../../api/policy-proof.js';
import type { PolicyRule } from '../../api/policy.js';
import { describeReplayed, summarizeExpected, summarizeProof } from './proof-text.js';

const response = (agent_token: string, expected_status: number, is_expected = true) =>
  ({ agent_token, expected_status, is_expected, result: 'verification_failed' }) as ProofRequest;

it('groups agents by the response they should get', () => {
  const responses = [response('Googlebot', 200), response('GPTBot', 403), response('CCBot', 403)];
  expect(summarizeExpected(responses)).toBe('GPTBot and CCBot are blocked (403). Googlebot is let through.');
});

it('distinguishes verified and unverified visitors if their responses differ', () => {
  const responses = [{ ...response('GPTBot', 200), result: 'verified' as const }, response('GPTBot', 403)];
  expect(summarizeExpected(responses)).toBe('Unverified GPTBot is blocked (403). Verified GPTBot is let through.');
});

it('states whether the site enforces the policy', () => {
  expect(summarizeProof([response('GPTBot', 403), response('Googlebot', 200)])).toBe(
    'Proven: GPTBot was blocked (403). Googlebot was let through.',
  );
  expect(summarizeProof([response('GPTBot', 403, false), response('Googlebot', 200)])).toBe(
    'Not proven: the response to GPTBot isn’t as expected.',
  );
});

const none = { allowed: 0, slowed: 0, redirected: 0, charged: 0, refused: 0 };
const effect = (id: string, outcomes: object, agents: PolicyForecast['rules'][number]['agents']) => ({
  rule_id: id,
  outcomes: { ...none, ...outcomes },
  bytes: 0,
  milliseconds: 0,
  referrals_at_risk: 0,
  exempt: 0,
  recorded: null,
  since: null,
  people: 0,
  networks: [],
  agents,
  examples: [],
});

it('describes the outcomes of all stored requests of an agent', () => {
  const network: PolicyRule = {
    id: 'network',
    name: 'Network',
    mode: 'live',
    visitors: { networks: ['203.0.113.0/24'] },
    action: { kind: 'refuse' },
  };
  const forecast = {
    agents: [
      { agent_token: 'Googlebot', outcomes: { ...none, refused: 217, allowed: 846 }, exempt: 3 },
      { agent_token: 'PerplexityBot', outcomes: { ...none, charged: 3, slowed: 12, allowed: 3 }, exempt: 2 },
      { agent_token: 'bingbot', outcomes: { ...none, allowed: 1_063 }, exempt: 0 },
    ],
    rules: [
      effect('network', { refused: 217 }, [{ agent_token: 'Googlebot', result: 'verification_failed', visits: 217 }]),
      effect('charge', { charged: 3 }, [{ agent_token: 'PerplexityBot', result: 'verified', visits: 3 }]),
      effect('slow', { slowed: 12, allowed: 1 }, [
        { agent_token: 'PerplexityBot', result: 'verified', visits: 11 },
        { agent_token: 'PerplexityBot', result: 'verification_failed', visits: 1 },
      ]),
    ],
  };
  const rules = [{ ...network, id: 'charge', name: 'Archive' }, network, { ...network, id: 'slow', name: 'Slow' }];
  const describe = (token: string, ruleId: string | null = null) => describeReplayed(forecast, rules, token, ruleId);
  expect(describe('Googlebot')).toBe('217 of 1,063 blocked by “Network” (impostors). 846 let through.');
  expect(describe('PerplexityBot', 'slow')).toBe(
    '12 of 18 slowed. 3 asked to pay by “Archive”, which is checked first. 1 let through. 2 asked for exempt files, such as robots.txt.',
  );
  expect(describe('bingbot')).toBe('All 1,063 let through');
  expect(describe('GPTBot')).toBe('No requests');
  // After a rule is removed, an earlier forecast can still contain it.
  expect(describeReplayed(forecast, rules.slice(0, 1), 'PerplexityBot', 'charge')).toContain('3 of 18 asked to pay.');
});
