import { areaPath, linePath } from './small-chart-path.js';

describe('a small chart', () => {
  it('has the first value at the left, the last at the right, the highest on top', () =>
    expect(areaPath([0, 4, 2], 4)).toBe('M0 40L0.00 40.00L50.00 0.00L100.00 20.00L100 40Z'));

  it('fills the box by a single value', () => expect(areaPath([3], 3)).toBe('M0 40L0.00 0.00L100.00 0.00L100 40Z'));

  it('keeps the steps of the chart for a comparison with fewer values', () =>
    expect(linePath([1, 0], 2, 3)).toBe('M0.00 20.00L50.00 40.00'));
});
