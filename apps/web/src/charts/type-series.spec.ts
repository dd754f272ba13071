import { buildTypeSeries } from './type-series.js';

const TYPES = ['AI Agent', 'AI Data Scraper', 'SEO Crawler', 'Fetcher', 'Scraper'];
const createItem = (by_type: Record<string, number>) => ({
  time: '2026-11-21T00:00:00Z',
  visits: Object.values(by_type).reduce((sum, each) => sum + each, 0),
  by_type,
});

describe('typeSeries', () => {
  it('orders types the same way in every range, and adds unknown visitors only on request', () => {
    const overviewSeries = [createItem({ 'SEO Crawler': 5, 'AI Agent': 1, '': 100 }), createItem({ 'AI Agent': 1 })];
    expect(buildTypeSeries(overviewSeries, TYPES, false)).toEqual({
      series: [
        { key: 'AI Agent', label: 'AI Agent', color: 'var(--kind-1)' },
        { key: 'SEO Crawler', label: 'SEO Crawler', color: 'var(--kind-3)' },
      ],
      items: [
        { time: overviewSeries[0]!.time, values: { 'AI Agent': 1, 'SEO Crawler': 5 } },
        { time: overviewSeries[1]!.time, values: { 'AI Agent': 1, 'SEO Crawler': 0 } },
      ],
      previous: [],
    });
    expect(buildTypeSeries(overviewSeries, TYPES, true).items[0]!.values).toHaveProperty('unknown', 100);
  });

  it('uses the same series for the previous range, including types that stopped visiting', () => {
    const previousSeries = [createItem({ 'AI Data Scraper': 3, '': 10 }), createItem({ 'AI Agent': 1 })];
    const { series, previous } = buildTypeSeries([createItem({ 'AI Agent': 1, '': 9 })], TYPES, true, previousSeries);
    expect(series.map(({ label }) => label)).toEqual(['AI Data Scraper', 'AI Agent', 'Unknown visitors']);
    expect(previous.map(({ values }) => values)).toEqual([
      { 'AI Data Scraper': 3, 'AI Agent': 0, unknown: 10 },
      { 'AI Data Scraper': 0, 'AI Agent': 1, unknown: 0 },
    ]);
  });

  it('groups several unnamed types, but not a single one', () => {
    const { series, items } = buildTypeSeries([createItem({ Fetcher: 9, Scraper: 8, 'AI Agent': 7 })], TYPES, false);
    expect(series.map(({ label, color }) => [label, color])).toEqual([
      ['AI Agent', 'var(--kind-1)'],
      ['Other types', 'var(--kind-other)'],
    ]);
    expect(items[0]!.values['other']).toBe(17);
    expect(buildTypeSeries([createItem({ Fetcher: 9 })], TYPES, false).series).toEqual([
      { key: 'Fetcher', label: 'Fetcher', color: 'var(--kind-4)' },
    ]);
  });
});
