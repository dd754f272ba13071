import { divideDays } from './divided-days.js';
import { splitAtItems, type ItemRange } from './rollups.js';

const at = (text: string): number => Date.parse(`2026-11-${text}:00Z`);
const range = (from: string, to: string) => ({ from: at(from), to: at(to) });

it('assigns each day to the item that covers most of it, and moves counts that belong to other items', () => {
  const ranges = {
    days: [range('11T00:00', '13T00:00'), range('14T00:00', '15T00:00')],
    hours: [range('10T23:00', '11T00:00'), range('13T00:00', '14T00:00')],
    quarters: [range('10T22:45', '10T23:00')],
  };
  const starts = ['10T23:00', '11T23:00', '13T00:00', '14T05:00'].map(at);
  expect(divideDays(ranges, starts)).toEqual({
    days: [
      { item: 0, ...range('11T00:00', '12T00:00') },
      { item: 1, ...range('12T00:00', '13T00:00') },
      { item: 3, ...range('14T00:00', '15T00:00') },
    ],
    added: [
      { item: 0, ...range('10T22:45', '10T23:00') },
      { item: 0, ...range('10T23:00', '11T00:00') },
      { item: 2, ...range('13T00:00', '14T00:00') },
      { item: 1, ...range('11T23:00', '12T00:00') },
      { item: 2, ...range('14T00:00', '14T05:00') },
    ],
    taken: [
      { item: 0, ...range('11T23:00', '12T00:00') },
      { item: 3, ...range('14T00:00', '14T05:00') },
    ],
  });
});

it('merges consecutive days in the same item', () => {
  const days = [range('02T00:00', '09T00:00')];
  expect(divideDays({ days, hours: [], quarters: [] }, ['01T23:00', '05T11:00'].map(at))).toEqual({
    days: [
      { item: 0, ...range('02T00:00', '05T00:00') },
      { item: 1, ...range('05T00:00', '09T00:00') },
    ],
    added: [{ item: 0, ...range('05T00:00', '05T11:00') }],
    taken: [{ item: 1, ...range('05T00:00', '05T11:00') }],
  });
});

it('counts every quarter hour exactly once and in the right item', () => {
  const [from, to] = [at('01T00:00'), at('20T00:00')];
  for (let seed = 1; seed < 100; seed += 1) {
    const starts = Array.from(
      { length: 12 },
      (_, item) => from + (item * 140 + ((seed * 31 + item * 7) % 40)) * 900_000,
    );
    const middle = from + (1 + (seed % 17)) * 86_400_000;
    const ranges = { days: [{ from, to: middle }], hours: [{ from: middle, to }], quarters: [] };
    const { days, added, taken } = divideDays(ranges, starts);
    const counted = new Map<string, number>();
    const count = (parts: ItemRange[], sign: number): void => {
      for (const part of parts) {
        for (let time = part.from; time < part.to; time += 900_000) {
          const key = `${part.item} ${time}`;
          counted.set(key, (counted.get(key) ?? 0) + sign);
        }
      }
    };
    count([...days, ...added], 1);
    count(taken, -1);
    count(splitAtItems([{ from, to }], starts), -1);
    expect([...counted.values()].filter((sum) => sum !== 0)).toEqual([]);
  }
});
