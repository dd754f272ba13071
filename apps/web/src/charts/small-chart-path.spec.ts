import { areaPath, linePath } from './small-chart-path.js';

describe('small chart paths', () => {
  it('draws values from left to right, with the highest at the top', () =>
    expect(areaPath([0, 4, 2], 4)).toBe('M0 40L0.00 40.00L50.00 0.00L100.00 20.00L100 40Z'));

  it('fills the box with a single value', () => expect(areaPath([3], 3)).toBe('M0 40L0.00 0.00L100.00 0.00L100 40Z'));

  it('uses the step width of the chart for a comparison with fewer values', () =>
    expect(linePath([1, 0], 2, 3)).toBe('M0.00 20.00L50.00 40.00'));
});
