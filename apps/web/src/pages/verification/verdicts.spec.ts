import { findMainNetwork, isRise, rankSpoofedAgents, splitFailures, sumVerdicts } from './verdicts.js';

it('sums the visits of all buckets by verdict', () => {
  const item = { time: '2026-11-01T00:00:00Z', verified: 5, not_verifiable: 2, verification_failed: 1 };
  expect(sumVerdicts([item, item] as never)).toEqual({ verified: 10, not_verifiable: 4, verification_failed: 2 });
});

it('combines the networks of a spoofed agent', () => {
  const spoof = (agent_token: string, visits: number) => ({ agent_id: agent_token, agent_token, visits });
  expect(rankSpoofedAgents([spoof('GPTBot', 5), spoof('ClaudeBot', 7), spoof('GPTBot', 3)])).toEqual([
    { name: 'GPTBot', filter: 'GPTBot', visits: 8 },
    { name: 'ClaudeBot', filter: 'ClaudeBot', visits: 7 },
  ]);
});

it('finds the network with more than half of the visits', () => {
  const spoof = (prefix: string, visits: number) => ({ networks: [{ prefix, visits }] });
  const others = spoof('192.0.2.0/24', 4);
  expect(findMainNetwork([spoof('203.0.113.0/24', 3), others, spoof('203.0.113.0/24', 5)], 12)).toEqual({
    network: '203.0.113.0/24',
    visits: 8,
  });
  expect(findMainNetwork([spoof('203.0.113.0/24', 4), others], 8)).toBeNull();
});

it.each([
  [600, 150, true],
  [200, 150, false],
  [12, 2, false],
])('recognizes a rise: %d from %d is %s', (current, previous, is) => expect(isRise(current, previous)).toBe(is));

it('splits failures by kind of reason if all of them are known', () => {
  const reasons = [
    { reason: 'address_not_listed', visits: 9 },
    { reason: 'no_host_name', visits: 4 },
    { reason: 'expired', visits: 3 },
    { reason: 'bad_signature', visits: 1 },
  ];
  expect(splitFailures(reasons, 17)).toEqual({ address: 13, expired: 3, signature: 1 });
  expect(splitFailures(reasons, 20)).toBeNull();
  expect(splitFailures([{ reason: null, visits: 2 }], 2)).toBeNull();
});
