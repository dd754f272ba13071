import { changeScore, interleave, isErrorNews, mayBeErrorNews } from './news-ranking.js';

describe('changeScore', () => {
  it.each([
    [0, 0],
    [9, 0],
    // A 50% increase in few visits.
    [30, 20],
    // A small change in many visits.
    [100_000, 90_000],
    [90_000, 100_000],
  ])('ignores a change to %d visits (previously %d)', (visits, previous) =>
    expect(changeScore(visits, previous)).toBe(0),
  );

  it('scores increases and decreases equally', () => {
    expect(changeScore(10, 0)).toBe(10);
    expect(changeScore(0, 10)).toBe(10);
    expect(changeScore(300, 100)).toBe(100);
  });

  it('combines the absolute and relative change in one score', () => {
    const changes: [number, number][] = [
      [450, 1],
      [60, 20],
      [12_000, 8_000],
      [40, 0],
    ];
    const ranked = changes.toSorted((one, other) => changeScore(...other) - changeScore(...one));
    // A 50% increase in many visits outranks larger relative changes in few visits.
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
    ['twice the error rate', { errors: 40, visits: 1_000 }, { errors: 20, visits: 1_000 }, true],
    ['twice the errors in twice the visits', { errors: 40, visits: 2_000 }, { errors: 20, visits: 1_000 }, false],
    ['no errors before', { errors: 20, visits: 100 }, { errors: 0, visits: 100 }, true],
    ['too few errors', { errors: 19, visits: 20 }, { errors: 0, visits: 100 }, false],
    ['too low an error rate', { errors: 90, visits: 10_000 }, { errors: 1, visits: 10_000 }, false],
    ['a 10% error rate without earlier visits to compare', { errors: 20, visits: 200 }, null, true],
    ['a lower error rate without earlier visits to compare', { errors: 20, visits: 201 }, null, false],
    ['no visits before', { errors: 20, visits: 200 }, { errors: 0, visits: 0 }, true],
  ])('checks whether an error rate is news: %s', (_, now, before, isNews) =>
    expect(isErrorNews(now, before)).toBe(isNews),
  );

  it('rules out news about errors unless errors across all visitors rose enough', () => {
    const before = { errors: 500, visits: 1_000 };
    expect(mayBeErrorNews({ errors: 500, visits: 1_000 }, before, 100)).toBe(false);
    expect(mayBeErrorNews({ errors: 509, visits: 1_000 }, before, 100)).toBe(false);
    expect(mayBeErrorNews({ errors: 510, visits: 1_000 }, before, 100)).toBe(true);
    // In the first case, both errors and visits double. In the second, errors increase by about 0.5% of the agents'
    // visits.
    expect(mayBeErrorNews({ errors: 1_000, visits: 2_000 }, before, 100)).toBe(false);
    expect(mayBeErrorNews({ errors: 5_049, visits: 10_000 }, before, 10_000)).toBe(false);
    expect(mayBeErrorNews({ errors: 5_050, visits: 10_000 }, before, 10_000)).toBe(true);
    expect(mayBeErrorNews({ errors: 19, visits: 19 }, null, 19)).toBe(false);
    expect(mayBeErrorNews({ errors: 20, visits: 1_000_000 }, null, 200)).toBe(true);
    expect(mayBeErrorNews({ errors: 20, visits: 1_000_000 }, null, 201)).toBe(false);
  });
});

it('takes one news item from each list in turn', () => {
  expect(interleave([['a1'], [], ['c1', 'c2', 'c3'], ['d1', 'd2']])).toEqual(['a1', 'c1', 'd1', 'c2', 'd2', 'c3']);
  expect(interleave([])).toEqual([]);
});
