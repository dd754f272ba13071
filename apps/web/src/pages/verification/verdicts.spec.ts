import { rankSpoofedAgents, sumVerdicts } from './verdicts.js';

it('sums the visits of all buckets by verdict', () => {
  const item = { time: '2026-11-01T00:00:00Z', verified: 5, not_verifiable: 2, verification_failed: 1 };
  expect(sumVerdicts([item, item] as never)).toEqual({ verified: 10, not_verifiable: 4, verification_failed: 2 });
});

it('combines the networks of a spoofed agent', () => {
  const spoof = (agent_token: string, visits: number) => ({ agent_id: agent_token, agent_token, visits });
  expect(rankSpoofedAgents([spoof('GPTBot', 5), spoof('ClaudeBot', 7), spoof('GPTBot', 3)])).toMatchObject([
    { name: 'GPTBot', filter: 'GPTBot', visits: 8 },
    { name: 'ClaudeBot', filter: 'ClaudeBot', visits: 7 },
  ]);
});
