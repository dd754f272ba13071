import { countIntervals, layOutBars, selectLevels, toBarsPath, toLevelsPath } from './bar-geometry.js';

const toY = (value: number): number => 100 - value;

describe('layOutBars', () => {
  it('separates wide bars and lets narrow ones touch', () => {
    expect(layOutBars(10, 100)).toEqual({ slot: 10, gap: 2 });
    expect(layOutBars(1, 500)).toEqual({ slot: 500, gap: 6 });
    expect(layOutBars(400, 800)).toEqual({ slot: 2, gap: 0 });
    expect(layOutBars(0, 800).slot).toBe(800);
  });
});

describe('toBarsPath', () => {
  it('draws a rectangle for each bar and skips empty ones', () =>
    expect(
      toBarsPath(
        [
          { index: 0, from: 10, to: 30 },
          { index: 1, from: 20, to: 20 },
          { index: 2, from: 0, to: 5 },
        ],
        { slot: 10, gap: 2 },
        toY,
      ),
    ).toBe('M1 70h8V90h-8zM21 95h8V100h-8z'));
});

it('draws levels as a line with steps', () =>
  expect(toLevelsPath([10, 20], { slot: 20, gap: 4 }, toY)).toBe('M0 90H20V80H40'));

describe('selectLevels', () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [10, [0, 3, 6, 9, 12]],
    [1_100, [0, 300, 600, 900, 1_200]],
    [4_000_000, [0, 1_000_000, 2_000_000, 3_000_000, 4_000_000]],
  ])('labels round numbers up to %s', (highest, levels) => expect(selectLevels(highest)).toEqual(levels));
});

it.each([
  [216, 4],
  [52, 1],
  [20, 1],
])('labels as many values as fit into %i pixels', (height, count) => {
  expect(countIntervals(height)).toBe(count);
  expect(selectLevels(210, countIntervals(height)).length - 1).toBeLessThanOrEqual(count);
});
