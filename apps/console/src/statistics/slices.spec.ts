import { sliceSeries, getSlices } from './slices.js';
import { createSeries } from './time-range.js';

const series = (from: string, to: string, zone = 'UTC') =>
  createSeries({ from: Date.parse(from), to: Date.parse(to) }, zone);

describe('getSlices', () => {
  it('returns short items unchanged', () => {
    const day = series('2026-11-20T00:00Z', '2026-11-21T00:00Z');
    const slices = getSlices(sliceSeries(day, 240), day);
    expect(slices).toHaveLength(96);
    expect(slices[95]).toEqual({ from: day.to - 900_000, to: day.to, item: 95, slice: 95 });
  });

  it.each([
    // This range includes a 25-hour day.
    ['2026-10-20T12:00Z', '2026-11-01T09:00Z', 'Europe/Berlin'],
    ['2026-08-25T00:00Z', '2026-12-01T00:00Z', 'Asia/Kathmandu'],
    ['2026-01-01T00:00Z', '2026-12-31T00:00Z', 'Asia/Kathmandu'],
    ['2024-11-20T00:00Z', '2026-11-20T00:00Z', 'UTC'],
    ['2023-11-20T00:00Z', '2026-11-20T00:00Z', 'Europe/Berlin'],
    ['2006-11-24T00:00Z', '2026-11-20T00:00Z', 'Europe/Berlin'],
  ])('covers %s to %s in %s without gaps, with each slice inside one item', (from, to, zone) => {
    const whole = series(from, to, zone);
    const sliced = sliceSeries(whole, 240);
    const slices = getSlices(sliced, whole);
    expect([slices[0]!.from, slices.at(-1)!.to]).toEqual([whole.from, whole.to]);
    for (const [index, slice] of slices.entries()) {
      if (index > 0) expect(slice.from).toBe(slices[index - 1]!.to);
      expect(slice.from).toBeGreaterThanOrEqual(whole.starts[slice.item]!);
      expect(slice.from).toBe(Math.max(whole.from, sliced.starts[slice.slice]!));
      expect(slice.to).toBeLessThanOrEqual(whole.starts[slice.item + 1] ?? whole.to);
    }
    expect(slices.length).toBeGreaterThanOrEqual(120);
    expect(slices.length).toBeLessThanOrEqual(400);
  });
});
