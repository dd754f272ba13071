import type { NewsItem } from '../../api/statistics.js';
import { addRecentProblems, listChanges, splitBySeverity } from './news-order.js';

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
const lists: NewsItem = { kind: 'address_lists', failing: 1, lists: 2, agents: [], agent_count: 0 };

describe('splitBySeverity', () => {
  it('separates problems from changes, and sorts changes by size', () => {
    const [small, large] = [change(20, 60), change(10, 500)];
    expect(splitBySeverity([small, lists, first, large, spoofing])).toEqual([
      [spoofing, lists],
      [large, first, small],
    ]);
  });
});

it('adds the problems of the last day, and replaces news about the same problems', () => {
  const errors: NewsItem = {
    kind: 'errors',
    status: '5xx',
    visits: 142,
    agent_visits: 900,
    previous_visits: 12,
    previous_agent_visits: 900,
    page: '/',
    page_visits: 9,
    is_sampled: false,
    period: null,
    outage: null,
  };
  const network = { network: '203.0.113.0/24', visits: 550, spoofed: 34, previous_visits: 0, agents: [] };
  const impersonation: NewsItem = { kind: 'impersonation', ...network };
  const outage: NewsItem = { kind: 'outage', from: '', to: '', expected_visits: 90, days_before: 1 };
  const recent = [impersonation, outage, { ...errors, visits: 130 }, change(300, 5)];
  const added = addRecentProblems([spoofing, errors, first], recent);
  expect(added.items).toEqual([impersonation, outage, errors, first]);
  expect([...added.recent]).toEqual([impersonation, outage]);
  // Errors at a certain time explain most of the range's errors.
  const period = { from: '2026-11-20T08:00:00Z', to: '2026-11-20T10:00:00Z', visits: 80 };
  const concentrated: NewsItem = { ...errors, visits: 80, period };
  expect(addRecentProblems([errors, first], [concentrated]).items).toEqual([concentrated, first]);
  const few: NewsItem = { ...errors, visits: 70, period: { ...period, visits: 70 } };
  expect(addRecentProblems([errors, first], [few]).items).toEqual([errors, first]);
  // The range's news has another network, but already contains the last day's visits.
  const several: NewsItem = { ...spoofing, networks: 3, network: '198.51.100.0/24' };
  expect(addRecentProblems([spoofing], [several]).items).toEqual([spoofing]);
});

describe('listChanges', () => {
  const top = (token: string, visits: number, previous: number, spoofed = 0) => ({
    ...agent,
    agent_id: token,
    agent_token: token,
    visits,
    previous_visits: previous,
    verified: 0,
    verification_failed: spoofed,
  });
  const toNames = (rows: ReturnType<typeof listChanges>) =>
    rows.map((row) =>
      'kind' in row ? 'agent_token' in row && row.agent_token : row.agents.map((one) => one.agent_token),
    );

  it('adds smaller changes of top agents, and leaves out no agent with a larger change than a listed one', () => {
    const agents = [
      top('a', 1_200, 1_000),
      top('b', 600, 1_000),
      top('c', 1_050, 1_000),
      top('id', 9, 300),
      top('d', 5, 0),
      top('e', 100, 130),
      top('f', 1_020, 1_000),
    ];
    expect(toNames(listChanges([change(9, 300)], [], agents))).toEqual(['b', 'GPTBot', 'a', 'c', 'e']);
  });

  it('lists agents that rose because of the same network as one change', () => {
    const agents = ['Googlebot', 'GPTBot', 'ClaudeBot'].map((token) => ({
      ...agent,
      agent_id: token,
      agent_token: token,
      visits: 100,
    }));
    const impersonation: NewsItem = {
      kind: 'impersonation',
      network: '203.0.113.0/24',
      visits: 300,
      spoofed: 0,
      previous_visits: 0,
      agents,
    };
    const visitors = [
      top('Googlebot', 339, 171, 220),
      top('GPTBot', 298, 146),
      top('ClaudeBot', 90, 100),
      top('bingbot', 90, 120),
    ];
    const news: NewsItem = { ...change(298, 146), agent_id: 'GPTBot' } as NewsItem;
    expect(toNames(listChanges([news], [impersonation], visitors))).toEqual([
      ['Googlebot', 'GPTBot'],
      'bingbot',
      'ClaudeBot',
    ]);
    expect(toNames(listChanges([news], [{ ...impersonation, visits: 150 }], visitors))).toEqual([
      'Googlebot',
      'GPTBot',
      'bingbot',
      'ClaudeBot',
    ]);
  });

  it('includes failed verifications, like the list of top agents', () => {
    const genuine: NewsItem = { ...change(10, 100), agent_id: 'Amazonbot' } as NewsItem;
    expect(listChanges([genuine], [], [top('Amazonbot', 155, 100, 145)])).toEqual([
      { kind: 'agent_change', ...top('Amazonbot', 155, 100, 145), causes: null },
    ]);
    expect(listChanges([genuine], [], [top('Amazonbot', 105, 100, 95)])).toEqual([genuine]);
  });
});
