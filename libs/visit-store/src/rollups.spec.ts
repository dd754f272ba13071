import { splitAtItems, splitByRollup, type OpenTimes } from './rollups.js';

const at = (text: string): number => Date.parse(`2026-11-${text}:00Z`);
const range = (from: string, to: string) => ({ from: at(from), to: at(to) });
const open = (hours: string[], days: string[]): OpenTimes => ({
  hours: new Set(hours.map(at)),
  days: new Set(days.map(at)),
  summedUntil: new Map(),
});
const NONE = open([], []);

describe('splitByRollup', () => {
  it('covers a range with full days, plus hours and quarter hours at both ends', () => {
    expect(splitByRollup(range('10T22:45', '14T03:15'), NONE, { coarsest: 'days' })).toEqual({
      days: [range('11T00:00', '14T00:00')],
      hours: [range('10T23:00', '11T00:00'), range('14T00:00', '14T03:00')],
      quarters: [range('10T22:45', '10T23:00'), range('14T03:00', '14T03:15')],
    });
  });

  it("uses finer rollups for days and hours that haven't ended", () => {
    const times = open(['12T05:00'], ['12T00:00', '13T00:00']);
    expect(splitByRollup(range('11T00:00', '15T00:00'), times, { coarsest: 'days' })).toEqual({
      days: [range('11T00:00', '12T00:00'), range('14T00:00', '15T00:00')],
      hours: [range('12T00:00', '12T05:00'), range('12T06:00', '14T00:00')],
      quarters: [range('12T05:00', '12T06:00')],
    });
  });

  it("uses the partial rollup for a day that hasn't ended, if allowed", () => {
    const summedUntil = new Map([[at('12T00:00'), at('12T05:00')]]);
    const times = { ...open(['12T05:00'], ['12T00:00']), summedUntil };
    const options = { coarsest: 'days', isSoFar: true } as const;
    expect(splitByRollup(range('11T00:00', '12T06:15'), times, options)).toEqual({
      days: [range('11T00:00', '12T05:00')],
      hours: [],
      quarters: [range('12T05:00', '12T06:15')],
    });
    for (const part of [range('12T00:00', '12T04:00'), range('12T01:00', '12T05:00')]) {
      expect(splitByRollup(part, times, options)).toEqual({ days: [], hours: [part], quarters: [] });
    }
  });

  it('splits an hour only at a cut inside it', () => {
    const cuts = [at('11T18:15'), at('12T18:15'), at('13T00:00')];
    expect(splitByRollup(range('11T18:15', '13T00:00'), NONE, { coarsest: 'hours', cuts })).toEqual({
      days: [],
      hours: [range('11T19:00', '12T18:00'), range('12T19:00', '13T00:00')],
      quarters: [range('11T18:15', '11T19:00'), range('12T18:00', '12T19:00')],
    });
  });

  it('splits a day only at a cut inside it', () => {
    const cuts = [at('11T23:00'), at('13T00:00')];
    expect(splitByRollup(range('10T00:00', '15T00:00'), NONE, { coarsest: 'days', cuts })).toEqual({
      days: [range('10T00:00', '11T00:00'), range('12T00:00', '15T00:00')],
      hours: [range('11T00:00', '12T00:00')],
      quarters: [],
    });
  });

  it('uses only quarter hours if requested or if the range contains no full hour', () => {
    const day = range('11T00:00', '12T00:00');
    expect(splitByRollup(day, NONE, { coarsest: 'quarters' })).toEqual({ days: [], hours: [], quarters: [day] });
    const short = range('11T00:15', '11T00:45');
    expect(splitByRollup(short, NONE, { coarsest: 'days' })).toEqual({ days: [], hours: [], quarters: [short] });
  });

  it("covers the entire range exactly once, no matter which days and hours haven't ended", () => {
    for (let seed = 1; seed < 200; seed += 1) {
      const some = (step: number, modulo: number): number[] =>
        Array.from({ length: 5 }, (_, n) => at('10T00:00') + ((seed * 7 + n * 13) % modulo) * step);
      const hours = some(3_600_000, 120);
      const days = [...some(86_400_000, 5), ...hours.map((hour) => hour - (hour % 86_400_000))];
      const from = at('10T00:00') + (seed % 100) * 900_000;
      const to = from + (1 + ((seed * 31) % 380)) * 900_000;
      const options = { coarsest: seed % 2 ? 'days' : 'hours', cuts: some(900_000, 480) } as const;
      const ranges = splitByRollup({ from, to }, { ...NONE, hours: new Set(hours), days: new Set(days) }, options);
      const all = Object.values(ranges)
        .flat()
        .toSorted((one, other) => one.from - other.from);
      expect(all[0]!.from).toBe(from);
      expect(all.at(-1)!.to).toBe(to);
      expect(all.slice(1).every((part, index) => part.from === all[index]!.to)).toBe(true);
    }
  });
});

it('splits ranges at item starts, including a first item that starts earlier', () => {
  const starts = ['10T23:00', '11T23:00', '12T23:00', '13T23:00'].map(at);
  const ranges = [range('11T01:00', '11T23:00'), range('12T05:00', '13T23:00'), range('14T00:00', '14T02:00')];
  expect(splitAtItems(ranges, starts)).toEqual([
    { item: 0, ...range('11T01:00', '11T23:00') },
    { item: 1, ...range('12T05:00', '12T23:00') },
    { item: 2, ...range('12T23:00', '13T23:00') },
    { item: 3, ...range('14T00:00', '14T02:00') },
  ]);
});
