import { toAreaPath, toLinePath } from './small-chart-path.js';

describe('small chart paths', () => {
  it('draws values from left to right, with the highest at the top', () =>
    expect(toAreaPath([0, 4, 2], 4)).toBe('M0 40L0.00 40.00L50.00 0.00L100.00 20.00L100 40Z'));

  it('draws a single value as a line across the entire box', () =>
    expect(toAreaPath([3], 3)).toBe('M0 40L0.00 0.00L100.00 0.00L100 40Z'));

  it('draws a shorter comparison with the chart’s step width', () =>
    expect(toLinePath([1, 0], 2, 3)).toBe('M0.00 20.00L50.00 40.00'));
});
