import type { ProofRequest } from '../../api/policy-proof.js';
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

it('describes the outcomes of stored requests', () => {
  const none = { allowed: 0, slowed: 0, redirected: 0, charged: 0, refused: 0 };
  const agents = [{ agent_token: 'PerplexityBot', outcomes: { ...none, allowed: 405, slowed: 12 } }];
  expect(describeReplayed(agents, 'PerplexityBot')).toBe('12 slowed, 405 let through');
  expect(describeReplayed(agents, 'Googlebot')).toBe('All let through');
});
