import { findLongestGap } from './find-longest-gap.js';

describe('findLongestGap', () => {
  it('returns the longest run without visits', () =>
    expect(findLongestGap([5, 0, 0, 3, 0, 0, 0, 2, 0], 2)).toEqual({ first: 4, end: 7 }));

  it('includes a run at the start, but not one at the end', () => {
    expect(findLongestGap([0, 0, 3, 0, 0, 0], 2)).toEqual({ first: 0, end: 2 });
    expect(findLongestGap([3, 0, 0], 2)).toBeNull();
  });

  it('returns null if there are only short runs', () => {
    expect(findLongestGap([1, 0, 1, 0, 1], 2)).toBeNull();
    expect(findLongestGap([], 1)).toBeNull();
  });
});
