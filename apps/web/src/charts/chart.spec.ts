import { CHART_HEIGHT_PX, getChartHeight } from './chart.js';

const series = [{ key: 'visits', label: 'Visits', color: 'blue' }];
const items = [0, 2].map((visits) => ({ time: String(visits), values: { visits } }));

it('lowers charts of hardly any visits', () => {
  expect(getChartHeight({ series, items })).toBe(110);
  expect(getChartHeight({ series, items, height: 96 })).toBe(96);
  const more = [{ time: '3', values: { visits: 3 } }];
  expect(getChartHeight({ series, items: [...items, ...more] })).toBe(CHART_HEIGHT_PX);
  expect(getChartHeight({ series, items, comparison: { label: 'Before', items: more } })).toBe(CHART_HEIGHT_PX);
  expect(getChartHeight({ series, items, format: String })).toBe(CHART_HEIGHT_PX);
});
