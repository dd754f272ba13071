import { fromDays, toDays } from './day-span.js';

const BERLIN = 'Europe/Berlin';
const NOW = Date.parse('2026-11-21T18:38:00Z');

describe('day span', () => {
  it('converts whole days to days without times and back', () => {
    const range = { from: '2026-10-24T22:00:00.000Z', to: '2026-10-25T23:00:00.000Z' };
    const span = toDays(range, BERLIN, NOW);
    expect(span).toMatchObject({ first: '2026-10-25', last: '2026-10-25', hasTimes: false });
    expect(fromDays(span, BERLIN)).toEqual(range);
  });

  it('preserves times, with midnight as the end of the last day', () => {
    for (const to of ['2026-11-02T23:00:00.000Z', '2026-11-02T10:15:00.000Z']) {
      const range = { from: '2026-11-02T07:30:00.000Z', to };
      const span = toDays(range, BERLIN, NOW);
      expect(span).toMatchObject({ first: '2026-11-02', last: '2026-11-02', hasTimes: true, start: '08:30' });
      expect(fromDays(span, BERLIN)).toEqual(range);
    }
  });

  it('selects the days of ranges that end now, and the times of the last hour', () => {
    const to = '2026-11-21T18:45:00.000Z';
    expect(toDays({ from: '2026-11-20T18:45:00.000Z', to }, BERLIN, NOW)).toMatchObject({
      first: '2026-11-20',
      last: '2026-11-21',
      hasTimes: false,
    });
    expect(toDays({ from: '2026-11-21T17:45:00.000Z', to }, BERLIN, NOW)).toMatchObject({
      hasTimes: true,
      start: '18:45',
      end: '19:45',
    });
  });

  it('never selects a day in the future', () => {
    const range = { from: '2026-11-20T23:00:00.000Z', to: '2026-11-21T23:00:00.000Z' };
    expect(toDays(range, BERLIN, NOW).last).toBe('2026-11-21');
  });
});
