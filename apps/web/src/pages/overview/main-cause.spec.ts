import type { NewsItem, Overview } from '../../api/statistics.js';
import { findMainCause, getAgentVisits, listLeaders } from './main-cause.js';

const agent = (agent_token: string, visits: number, previous_visits: number) => ({
  agent_id: agent_token,
  agent_token,
  agent_type_name: null,
  operator_name: null,
  visits,
  previous_visits,
});
const NETWORK: NewsItem = {
  kind: 'impersonation',
  network: '203.0.113.0/24',
  visits: 550,
  spoofed: 55,
  previous_visits: 10,
  agents: [],
};
const AGENTS = [agent('PerplexityBot', 186, 81), agent('GPTBot', 90, 10), agent('ClaudeBot', 5, 30)];

it('names a network that explains at least half of the rise', () => {
  expect(findMainCause(650, [NETWORK], AGENTS)).toMatchObject({
    subject: '203.0.113.0/24',
    effect: ' (up from 10 to 550)',
  });
  expect(findMainCause(650, [{ ...NETWORK, previous_visits: 0 }], AGENTS)?.effect).toBe(', which made 550 of them');
  expect(findMainCause(1_100, [NETWORK], AGENTS)).toBeNull();
  expect(findMainCause(-650, [NETWORK], [])).toBeNull();
});

it('names an agent that explains at least half of the change', () => {
  expect(findMainCause(200, [], AGENTS)).toMatchObject({ subject: 'PerplexityBot', effect: ' (up from 81 to 186)' });
  expect(findMainCause(-40, [], AGENTS)).toMatchObject({ subject: 'ClaudeBot', effect: ' (down from 30 to 5)' });
  expect(findMainCause(0, [], AGENTS)).toBeNull();
});

it('lists the agents that changed most', () => {
  expect(listLeaders(500, AGENTS)).toEqual(['PerplexityBot (+105)', 'GPTBot (+80)']);
  expect(listLeaders(-500, AGENTS)).toEqual(['ClaudeBot (−25)']);
});

it('adds agents from the news to the top agents', () => {
  const top = [{ ...agent('GPTBot', 90, 10), verified: 0, verification_failed: 0 }] satisfies Overview['top_agents'];
  const changes = [agent('GPTBot', 80, 9), agent('ClaudeBot', 0, 30)].map((visits): NewsItem => ({
    kind: 'agent_change',
    ...visits,
    causes: null,
  }));
  const visitors = getAgentVisits(changes, top);
  expect(visitors.map(({ agent_token: name, visits }) => [name, visits])).toEqual([
    ['GPTBot', 90],
    ['ClaudeBot', 0],
  ]);
});
