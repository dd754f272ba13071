import type { NewsItem, Overview } from '../../api/statistics.js';
import { countMatches, findFilteredCause, findMainPage, listNetworks } from './filtered-cause.js';

const agent = { agent_id: 'id', agent_token: 'GPTBot', agent_type_name: null, operator_name: null };
const counts = (visits: number, previous: number, isEstimated = false) =>
  ({
    current: { agent_visits: visits, unknown_agent: 9, visits: visits + 9 },
    previous: { agent_visits: previous, unknown_agent: 3, visits: previous + 3 },
    sample: isEstimated ? { is_estimated: true } : null,
  }) as Pick<Overview, 'current' | 'previous' | 'sample'>;

it('lists the networks that the news is about', () => {
  const spoofing = { kind: 'spoofing', ...agent, visits: 34, reason: null } as const;
  const items: NewsItem[] = [
    { ...spoofing, networks: 3, network: '192.0.2.0/24' },
    { kind: 'impersonation', network: '203.0.113.0/24', visits: 550, spoofed: 0, previous_visits: 0, agents: [] },
    {
      kind: 'agent_change',
      ...agent,
      visits: 261,
      previous_visits: 143,
      causes: [{ dimension: 'network', value: '203.0.113.0/24', visits: 165, previous_visits: 0 }],
    },
    { ...spoofing, networks: 1, network: '198.51.100.0/24' },
  ];
  expect(listNetworks(items)).toEqual(['203.0.113.0/24', '198.51.100.0/24']);
});

it('counts unknown visitors if no agents match', () => {
  expect(countMatches(counts(261, 143), false)).toEqual({ visits: 261, previous: 143 });
  expect(countMatches(counts(261, 143), true)).toEqual({ visits: 270, previous: 146 });
  expect(countMatches(counts(0, 0), false)).toEqual({ visits: 9, previous: 3 });
});

it('names the network that explains at least half of the change', () => {
  const network = '203.0.113.0/24';
  const find = (...args: Parameters<typeof counts>) =>
    findFilteredCause(counts(261, 143), [{ network, counts: counts(...args) }], false);
  expect(find(165, 0)).toEqual({ network, effect: ', which made 165 of them' });
  expect(find(165, 0, true)).toEqual({ network, effect: ', which made ≈ 165 of them' });
  expect(find(165, 40)).toEqual({ network, effect: ' (up from 40 to 165)' });
  expect(find(58, 0)).toBeNull();
  expect(findFilteredCause(counts(20, 300), [{ network, counts: counts(5, 280) }], false)).toEqual({
    network,
    effect: ' (down from 280 to 5)',
  });
  expect(findFilteredCause(counts(275, 0), [{ network, counts: counts(275, 0) }], false)?.effect).toBe(
    ', which made all of them',
  );
});

it('names the page that explains at least half of the change', () => {
  const pages = [
    { path: '/', visits: 90, previous_visits: 80 },
    { path: '/blog', visits: 70, previous_visits: 2 },
    { path: '', visits: 500, previous_visits: 100 },
  ];
  expect(findMainPage(100, pages)).toBe('/blog');
  expect(findMainPage(-100, pages)).toBeNull();
  expect(findMainPage(0, pages)).toBeNull();
});
