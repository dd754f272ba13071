import type { Overview } from '../../api/statistics.js';
import { describeSpike, findSpikes, formatRatio, formatSpikeDay } from './spikes.js';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 10, 1);
const time = (day: number): string => new Date(START + day * DAY_MS).toISOString();
const createOverview = (visits: readonly number[], bucket = '1d') =>
  ({
    from: time(0),
    to: time(visits.length),
    bucket,
    series: visits.map((count, day) => ({
      time: time(day),
      visits: count + 500,
      by_type: { 'SEO Crawler': count - 60, 'AI Agent': 60, '': 500 },
    })),
  }) as unknown as Overview;
const VISITS = [1_000, 1_010, 990, 1_250, 1_005, 995, 1_700, 1_000, 1_900];
const NOW = START + 8.5 * DAY_MS;

it('finds full days with far more visits than usual', () => {
  const spikes = findSpikes(createOverview(VISITS), NOW);
  expect(spikes).toEqual([
    { from: time(6), to: time(7), visits: 1_700, usual: 1_005, type: 'SEO Crawler' },
    { from: time(3), to: time(4), visits: 1_250, usual: 1_005, type: 'SEO Crawler' },
  ]);
  expect(formatRatio(spikes[0]!)).toBe('1.7×');
  expect(formatSpikeDay(spikes[0]!, 'UTC')).toBe('Nov 7');
  expect(describeSpike(spikes[0]!)).toBe('were 1.7 times the usual number');
});

it.each([
  ['ordinary variation', createOverview([600, 1_000, 1_200, 900, 700, 1_100, 1_300, 650])],
  ['hours', createOverview(VISITS, '1h')],
  ['short ranges', createOverview(VISITS.slice(0, 6))],
])('ignores %s', (_, overview) => expect(findSpikes(overview, NOW)).toEqual([]));
