import type { NewsItem } from '../api/statistics.js';
import { getClaims } from './claims.js';

const agent = (agent_token: string | null) => ({
  agent_id: '7d4f',
  agent_token,
  agent_type_name: null,
  operator_name: null,
  visits: 60,
});
const network = '203.0.113.0/24';

it("selects only the failed visits of the item's agent, not all visits of its network", () => {
  const spoofing: Extract<NewsItem, { kind: 'spoofing' }> = {
    ...agent('Googlebot'),
    kind: 'spoofing',
    network,
    networks: 1,
    reason: null,
  };
  expect(getClaims(spoofing)).toEqual({ address: [network], agent: ['Googlebot'], result: ['verification_failed'] });
});

it('selects unverified visits of all agents that a network posed as', () => {
  const agents = [agent('GPTBot'), agent(null)];
  expect(getClaims({ kind: 'impersonation', network, visits: 120, spoofed: 60, previous_visits: 0, agents })).toEqual({
    address: [network],
    agent: ['GPTBot', '7d4f'],
    result: ['verification_failed', 'not_verifiable'],
  });
});
