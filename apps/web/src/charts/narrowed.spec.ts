import { narrowed } from './narrowed.js';

const STARTS = ['2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z', '2026-11-03T00:00:00.000Z'];
const RANGE = { from: '2026-11-01T12:00:00.000Z', to: '2026-11-03T18:00:00.000Z' };

describe('narrowed', () => {
  it('returns the range of the chosen items in either direction', () => {
    const range = { from: STARTS[1], to: RANGE.to };
    expect(narrowed(STARTS, 1, 2, RANGE)).toEqual(range);
    expect(narrowed(STARTS, 2, 1, RANGE)).toEqual(range);
    expect(narrowed(STARTS, 1, 1, RANGE)).toEqual({ from: STARTS[1], to: STARTS[2] });
  });

  it('stays within the range of the chart', () => {
    expect(narrowed(STARTS, 0, 0, RANGE)).toEqual({ from: RANGE.from, to: STARTS[1] });
    expect(narrowed(STARTS, 0, 2, RANGE)).toEqual(RANGE);
  });
});
