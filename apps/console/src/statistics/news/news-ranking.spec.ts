import { changeScore, inTurns, isErrorNews, mayBeErrorNews } from './news-ranking.js';

describe('changeScore', () => {
  it.each([
    [0, 0],
    [9, 0],
    // 50 % more, but few visits.
    [30, 20],
    // Many visits, but a small change.
    [100_000, 90_000],
    [90_000, 100_000],
  ])('ignores a change to %d visits from %d', (visits, previous) => expect(changeScore(visits, previous)).toBe(0));

  it('scores rises and falls alike', () => {
    expect(changeScore(10, 0)).toBe(10);
    expect(changeScore(0, 10)).toBe(10);
    expect(changeScore(300, 100)).toBe(100);
  });

  it('ranks by absolute and relative change combined', () => {
    const changes: [number, number][] = [
      [450, 1],
      [60, 20],
      [12_000, 8_000],
      [40, 0],
    ];
    const ranked = changes.toSorted((one, other) => changeScore(...other) - changeScore(...one));
    // A 50 % rise in many visits outranks larger relative changes in fewer visits.
    expect(ranked).toEqual([
      [12_000, 8_000],
      [450, 1],
      [40, 0],
      [60, 20],
    ]);
  });
});

describe('isErrorNews', () => {
  it.each([
    ['twice the share', { errors: 40, visits: 1_000 }, { errors: 20, visits: 1_000 }, true],
    ['twice the errors of twice the visits', { errors: 40, visits: 2_000 }, { errors: 20, visits: 1_000 }, false],
    ['none before', { errors: 20, visits: 100 }, { errors: 0, visits: 100 }, true],
    ['too few', { errors: 19, visits: 20 }, { errors: 0, visits: 100 }, false],
    ['too small a share', { errors: 90, visits: 10_000 }, { errors: 1, visits: 10_000 }, false],
    ['a tenth, with nothing to compare', { errors: 20, visits: 200 }, null, true],
    ['less than that', { errors: 20, visits: 201 }, null, false],
    ['nobody came before', { errors: 20, visits: 200 }, { errors: 0, visits: 0 }, true],
  ])('%s', (_, now, before, isNews) => expect(isErrorNews(now, before)).toBe(isNews));

  it('is skipped unless the errors of all visitors rose enough', () => {
    const before = { errors: 500, visits: 1_000 };
    expect(mayBeErrorNews({ errors: 500, visits: 1_000 }, before, 100)).toBe(false);
    expect(mayBeErrorNews({ errors: 509, visits: 1_000 }, before, 100)).toBe(false);
    expect(mayBeErrorNews({ errors: 510, visits: 1_000 }, before, 100)).toBe(true);
    // Twice the errors with twice the visits, then half a percent of agents' visits.
    expect(mayBeErrorNews({ errors: 1_000, visits: 2_000 }, before, 100)).toBe(false);
    expect(mayBeErrorNews({ errors: 5_049, visits: 10_000 }, before, 10_000)).toBe(false);
    expect(mayBeErrorNews({ errors: 5_050, visits: 10_000 }, before, 10_000)).toBe(true);
    expect(mayBeErrorNews({ errors: 19, visits: 19 }, null, 19)).toBe(false);
    expect(mayBeErrorNews({ errors: 20, visits: 1_000_000 }, null, 200)).toBe(true);
    expect(mayBeErrorNews({ errors: 20, visits: 1_000_000 }, null, 201)).toBe(false);
  });
});

it('interleaves lists', () => {
  expect(inTurns([['a1'], [], ['c1', 'c2', 'c3'], ['d1', 'd2']])).toEqual(['a1', 'c1', 'd1', 'c2', 'd2', 'c3']);
  expect(inTurns([])).toEqual([]);
});
