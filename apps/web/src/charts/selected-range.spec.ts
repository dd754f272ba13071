import { toSelectedRange } from './selected-range.js';

const STARTS = ['2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z', '2026-11-03T00:00:00.000Z'];
const RANGE = { from: '2026-11-01T12:00:00.000Z', to: '2026-11-03T18:00:00.000Z' };

describe('narrowed', () => {
  it('returns the range between two chart items selected in either order', () => {
    const range = { from: STARTS[1], to: RANGE.to };
    expect(toSelectedRange(STARTS, 1, 2, RANGE)).toEqual(range);
    expect(toSelectedRange(STARTS, 2, 1, RANGE)).toEqual(range);
    expect(toSelectedRange(STARTS, 1, 1, RANGE)).toEqual({ from: STARTS[1], to: STARTS[2] });
  });

  it('limits the selected range to the chart range', () => {
    expect(toSelectedRange(STARTS, 0, 0, RANGE)).toEqual({ from: RANGE.from, to: STARTS[1] });
    expect(toSelectedRange(STARTS, 0, 2, RANGE)).toEqual(RANGE);
  });
});
