import type { Overview } from '../api/statistics.js';
import { buildChart } from './chart-view.js';

const item = {
  time: '2026-11-21T00:00:00Z',
  visits: 20,
  by_type: { 'AI Assistant': 4, 'Search Engine Crawler': 6, '': 10 },
  by_result: { verified: 7, verification_failed: 3, unknown_agent: 10 },
};
const agent = { agent_id: 'id', agent_token: 'GPTBot', operator_name: 'OpenAI' };
const createOverview = (fields: object = {}) =>
  ({
    series: [{ ...item, ...fields }],
    previous_series: [item],
    top_agents: [agent, { ...agent, agent_id: 'second', agent_token: 'ChatGPT-User' }],
  }) as unknown as Overview;
const options = { hasUnknown: false, isCompared: true };
const labels = (view: Parameters<typeof buildChart>[0], overview = createOverview(), more = {}) =>
  buildChart(view, overview, { ...options, ...more })?.series.map(({ label }) => label);

describe('buildChart', () => {
  it('shows the verdicts that occur, and unknown visitors on request', () => {
    expect(labels('verdict')).toEqual(['Failed verification', 'Verified']);
    expect(labels('verdict', createOverview(), { hasUnknown: true })).toEqual([
      'Failed verification',
      'Verified',
      'Unknown visitors',
    ]);
  });

  it('shows a single series for spoofed visits and other visitors', () => {
    const spoofed = buildChart('spoofed', createOverview(), options)!;
    expect(spoofed.series).toMatchObject([{ key: 'verification_failed', filter: ['result', 'verification_failed'] }]);
    expect(spoofed.items[0]!.values['verification_failed']).toBe(3);
    expect(buildChart('others', createOverview(), options)!.series).toMatchObject([{ key: 'unknown_agent' }]);
  });

  it('only shows AI agents in the chart of AI visits', () => expect(labels('ai')).toEqual(['AI Assistant']));

  it('returns nothing until the breakdown is loaded', () => {
    expect(buildChart('status', createOverview(), options)).toBeNull();
    const loaded = buildChart('status', createOverview({ by_status: { '2xx': 8, '': 2 } }), options)!;
    expect(loaded.series.map(({ key }) => key)).toEqual(['2xx', '']);
    // The comparison range can lack the breakdown.
    expect(loaded.previous).toEqual([]);
  });

  it('uses different shades for agents of the same operator', () => {
    const { series } = buildChart('agents', createOverview({ by_agent: { id: 5, second: 2, '': 3 } }), options)!;
    expect(series.map(({ label }) => label)).toEqual(['GPTBot', 'ChatGPT-User', 'Other agents']);
    expect(new Set(series.map(({ color }) => color)).size).toBe(3);
    expect(series[0]!.filter).toEqual(['agent', 'GPTBot']);
  });

  it('returns no comparison if it is turned off', () =>
    expect(buildChart('verdict', createOverview(), { ...options, isCompared: false })!.previous).toEqual([]));
});
