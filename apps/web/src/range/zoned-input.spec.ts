import { fromInput, toInput } from './zoned-input.js';

describe('zoned time input', () => {
  it.each([
    ['2026-11-21T18:38:00.000Z', 'UTC', '2026-11-21T18:38'],
    ['2026-11-21T23:38:00.000Z', 'Europe/Berlin', '2026-11-22T00:38'],
    ['2026-07-01T10:00:00.000Z', 'Asia/Kathmandu', '2026-07-01T15:45'],
    ['2026-07-01T10:00:00.000Z', 'Pacific/Kiritimati', '2026-07-02T00:00'],
    ['2026-03-29T00:59:00.000Z', 'Europe/Berlin', '2026-03-29T01:59'],
    ['2026-03-29T01:00:00.000Z', 'Europe/Berlin', '2026-03-29T03:00'],
    ['2026-10-25T00:30:00.000Z', 'Europe/Berlin', '2026-10-25T02:30'],
    ['2026-10-25T02:00:00.000Z', 'Europe/Berlin', '2026-10-25T03:00'],
  ])('converts %s in %s to %s and back', (instant, timeZone, text) => {
    expect(toInput(instant, timeZone)).toBe(text);
    expect(fromInput(text, timeZone)).toBe(instant);
  });

  it('moves a skipped local time forward', () =>
    expect(fromInput('2026-03-29T02:30', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z'));

  it('returns null for an empty field', () => expect(fromInput('', 'UTC')).toBeNull());
});
