import type { NewsItem } from '../../api/statistics.js';
import { isSystemFault, splitBySeverity } from './news-order.js';

const agent = { agent_id: 'id', agent_token: 'GPTBot', agent_type_name: null, operator_name: null };
const change = (visits: number, previous: number): NewsItem => ({
  kind: 'agent_change',
  ...agent,
  visits,
  previous_visits: previous,
  causes: null,
});
const first: NewsItem = { kind: 'new_agent', ...agent, visits: 97 };
const spoofing: NewsItem = {
  kind: 'spoofing',
  ...agent,
  networks: 1,
  network: '203.0.113.0/24',
  visits: 34,
  reason: null,
};
const lists: NewsItem = { kind: 'address_lists', failing: 1, lists: 2 };

describe('splitBySeverity', () => {
  it('separates problems from changes, and sorts changes by size', () => {
    const [small, large] = [change(20, 60), change(10, 500)];
    expect(splitBySeverity([small, first, large, spoofing])).toEqual([[spoofing], [large, first, small]]);
  });
});

describe('isSystemFault', () => {
  it('distinguishes faults of the system from news about visitors', () => {
    expect([lists, spoofing, first].map(isSystemFault)).toEqual([true, false, false]);
  });
});
