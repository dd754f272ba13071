import { rangeParameters } from './counted.js';

const cut = (from: string, to: string): string[] =>
  rangeParameters({ from: Date.parse(from), to: Date.parse(to) }).map((time) => new Date(time).toISOString());

describe('rangeParameters', () => {
  it('cuts whole days out', () => {
    expect(cut('2026-11-01T22:15Z', '2026-11-04T01:00Z')).toEqual([
      '2026-11-01T22:15:00.000Z',
      '2026-11-02T00:00:00.000Z',
      '2026-11-04T00:00:00.000Z',
      '2026-11-04T01:00:00.000Z',
    ]);
    expect(cut('2026-11-01', '2026-11-02')).toEqual([
      '2026-11-01T00:00:00.000Z',
      '2026-11-01T00:00:00.000Z',
      '2026-11-02T00:00:00.000Z',
      '2026-11-02T00:00:00.000Z',
    ]);
  });

  it('takes quarters of an hour alone where there is no whole day', () => {
    for (const [from, to] of [
      ['2026-11-01T00:15Z', '2026-11-02T23:45Z'],
      ['2026-11-01T10:00Z', '2026-11-01T11:00Z'],
      ['2026-11-01T22:00Z', '2026-11-02T02:00Z'],
    ]) {
      const end = new Date(to!).toISOString();
      expect(cut(from!, to!)).toEqual([new Date(from!).toISOString(), end, end, end]);
    }
  });
});
