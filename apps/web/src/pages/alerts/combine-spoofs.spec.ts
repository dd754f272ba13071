import type { Spoof } from '../../api/statistics.js';
import { combineSpoofs } from './combine-spoofs.js';

const spoof = (prefix: string, visits: number, count = 1) =>
  ({ agent_id: 'a', networks: [{ prefix, visits }], network_count: count, visits }) as Spoof;

it('returns the network of most visits', () => {
  const main = spoof('192.0.2.0/24', 51);
  expect(combineSpoofs([main])).toBe(main);
  expect(combineSpoofs([main, spoof('198.51.100.0/24', 50)])).toBe(main);
  expect(combineSpoofs([])).toBeUndefined();
});

it('combines networks if none of them made more than half of the visits', () => {
  const rows = [spoof('192.0.2.0/24', 34), spoof('198.51.100.0/24', 33), spoof('203.0.113.0/24', 33, 4)];
  expect(combineSpoofs(rows)).toMatchObject({ network_count: 6, visits: 100, networks: [{ visits: 34 }, {}, {}] });
  expect(combineSpoofs([spoof('192.0.2.0/24', 50), spoof('198.51.100.0/24', 50)])?.network_count).toBe(2);
  expect(combineSpoofs([spoof('192.0.2.0/24', 90, 2), spoof('198.51.100.0/24', 1)])?.network_count).toBe(3);
});
