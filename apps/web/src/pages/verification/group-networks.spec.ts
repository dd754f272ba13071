import type { Spoof } from '../../api/statistics.js';
import { groupNetworks, toRowFilters } from './group-networks.js';

const spoof = (agent_id: string, visits: number, prefixes: string[], last_seen_at = '2026-11-01T00:00:00Z'): Spoof =>
  ({
    agent_id,
    agent_token: null,
    visits,
    last_seen_at,
    client_network: null,
    networks: prefixes.map((prefix) => ({ prefix, visits })),
    network_count: prefixes.length,
    host_names: [],
  }) as unknown as Spoof;

it('combines the agents that a network claimed to be', () => {
  const rows = groupNetworks([
    spoof('a', 5, ['192.0.2.0/24']),
    spoof('b', 4, ['203.0.113.0/24']),
    spoof('c', 3, ['203.0.113.0/24'], '2026-11-02T00:00:00Z'),
  ]);
  expect(rows.map(({ key, visits, claims }) => [key, visits, claims.length])).toEqual([
    ['203.0.113.0/24', 7, 2],
    ['192.0.2.0/24', 5, 1],
  ]);
  expect(rows[0]).toMatchObject({
    networks: [{ prefix: '203.0.113.0/24', visits: 7 }],
    last_seen_at: '2026-11-02T00:00:00Z',
  });
});

it('leaves rows separate if they have several networks or if some rows are missing', () => {
  expect(groupNetworks([spoof('a', 2, ['x', 'y']), spoof('b', 1, ['x'])])).toHaveLength(2);
  expect(groupNetworks(Array.from({ length: 100 }, (_, id) => spoof(String(id), 1, ['x'])))).toHaveLength(100);
});

it('filters by all agents of a row, because other rows can have visits from its network, too', () => {
  const [row] = groupNetworks([spoof('a', 5, ['x']), spoof('b', 4, ['x']), spoof('c', 3, ['x', 'y'])]);
  expect(toRowFilters(row!, 'verification_failed', 'x')).toEqual({
    result: ['verification_failed'],
    address: ['x'],
    agent: ['a', 'b'],
  });
  expect(toRowFilters({ claims: [{ agent_id: null, agent_token: null } as never] }, 'not_verifiable')).toEqual({
    result: ['not_verifiable'],
  });
});
