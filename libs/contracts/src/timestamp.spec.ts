import { assert, boolean, constantFrom, date, nat, option, property, tuple } from 'fast-check';
import { MAX_TIME, MIN_TIME, parseTimestamp } from './timestamp.js';

describe('parseTimestamp', () => {
  it.each([
    ['2026-11-21', '2026-11-21T00:00:00.000Z'],
    ['2026-11-21T08:30:00Z', '2026-11-21T08:30:00.000Z'],
    ['2026-11-21t08:30:00z', '2026-11-21T08:30:00.000Z'],
    ['2026-11-21 08:30:00', '2026-11-21T08:30:00.000Z'],
    ['2026-11-21T08:30', '2026-11-21T08:30:00.000Z'],
    ['2026-11-21T08:30:00.1234567+02:00', '2026-11-21T06:30:00.123Z'],
    ['2015-05-17T10:05:03-0730', '2015-05-17T17:35:03.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['0000-12-31T23:00:00-01:00', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.9999', '9999-12-31T23:59:59.999Z'],
  ])('parses %s', (text, expected) => {
    expect(new Date(parseTimestamp(text)!).toISOString()).toBe(expected);
  });

  it.each([
    '',
    'yesterday',
    '1763712000',
    '2026-02-30',
    '2023-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-11-21T24:00:00Z',
    '2026-11-21T25:00',
    '2026-11-21T08:60',
    '2026-11-21T08:30:60Z',
    '2026-11-21T08:30:00+24:00',
    '2026-11-21T08:30:00Z ',
    '2026-11-21T',
    'Sat Nov 21 2026',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+05:00',
    '9999-12-31T23:59:59-05:00',
    '+010000-01-01T00:00:00Z',
  ])('rejects the timestamp %p', (text) => {
    expect(parseTimestamp(text)).toBeNull();
  });

  it('returns the same time on the fast path and the general path', () => {
    const time = date({ min: new Date(MIN_TIME), max: new Date(MAX_TIME), noInvalidDate: true });
    const zone = constantFrom('Z', '+00:00', '-00:00', '+02:00', '-09:30', '+23:59', '-23:59', '+24:00', '+01:60');
    const timestamps = tuple(time, boolean(), zone).map(([date, isWhole, offset]) => {
      const text = date.toISOString();
      return text.slice(0, isWhole ? 19 : 23) + offset;
    });
    // Replaces or removes one character.
    const edit = tuple(nat(29), constantFrom('', '0', '1', '3', '9', ':', '-', '+', ' ', 'T', 'Z', '.', '\u0663'));
    assert(
      property(timestamps, option(edit), (text, edited) => {
        const candidate = edited === null ? text : text.slice(0, edited[0]) + edited[1] + text.slice(edited[0] + 1);
        expect(parseTimestamp(candidate)).toBe(parseTimestamp(candidate.replace('T', 't')));
        if (edited === null && candidate.endsWith('Z')) expect(parseTimestamp(candidate)).toBe(Date.parse(candidate));
      }),
      { numRuns: 5_000 },
    );
  });
});
