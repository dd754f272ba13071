import { buildOverviewSeries, type TypeCount } from './overview-series.js';

const HOUR_MS = 3_600_000;
const series = { from: 0, to: 2 * HOUR_MS, bucket: '1h' as const, timeZone: 'UTC', starts: [0, HOUR_MS] };
const types: TypeCount[] = [
  { item: 0, agent_type: 'AI Assistant', result: 'verified', visits: 5 },
  { item: 0, agent_type: 'AI Assistant', result: 'verification_failed', visits: 2 },
  { item: 0, agent_type: '', result: 'unknown_agent', visits: 10 },
];
const build = (options: Partial<Parameters<typeof buildOverviewSeries>[2]>) =>
  buildOverviewSeries(series, types, {
    breakdown: 'type',
    visitors: 'agents',
    agentIds: [],
    counts: null,
    ...options,
  });

describe('buildOverviewSeries', () => {
  it('only counts by type by default', () =>
    expect(build({})).toEqual([
      { time: '1970-01-01T00:00:00.000Z', visits: 17, by_type: { 'AI Assistant': 7, '': 10 } },
      { time: '1970-01-01T01:00:00.000Z', visits: 0, by_type: {} },
    ]));

  it('counts by result', () =>
    expect(build({ breakdown: 'result' }).map((item) => item.by_result)).toEqual([
      { verified: 5, verification_failed: 2, unknown_agent: 10 },
      {},
    ]));

  it.each([
    ['agents', 1],
    ['all', 11],
  ] as const)('counts by status class, and the visits of %s without a status', (visitors, rest) => {
    const counts = [
      { item: 0, value: '200', visits: 3 },
      { item: 0, value: '204', visits: 1 },
      { item: 0, value: '404', visits: 2 },
    ];
    expect(build({ breakdown: 'status', visitors, counts })[0]!.by_status).toEqual({ '2xx': 4, '4xx': 2, '': rest });
  });

  it('counts statuses outside 100–599 as not reported', () => {
    const counts = ['', '0', '99', '600', '1234'].map((value) => ({ item: 0, value, visits: 1 }));
    expect(build({ breakdown: 'status', counts })[0]!.by_status).toEqual({ '': 7 });
  });

  it('counts visits that are no longer stored separately from those without a status', () => {
    const counts = [
      { item: 0, value: '200', visits: 3 },
      { item: 0, value: null, visits: 1 },
    ];
    const options = { breakdown: 'status', counts, lacksVisits: true } as const;
    expect(build(options)[0]!.by_status).toEqual({ '2xx': 3, '': 1, not_stored: 3 });
  });

  it('omits statuses that are unknown', () =>
    expect(build({ breakdown: 'status' })[0]).not.toHaveProperty('by_status'));

  it('counts by listed agent and sums up all other agents', () => {
    const counts = [
      { item: 0, value: 'one', visits: 4 },
      { item: 0, value: 'other', visits: 3 },
    ];
    expect(build({ breakdown: 'agent', agentIds: ['one'], counts })[0]!.by_agent).toEqual({ one: 4, '': 3 });
  });
});
