import { beforeText, readRange, resolveRange } from './range.js';

const NOW = Date.parse('2026-11-21T18:38:00Z');

describe('the range of a page', () => {
  it('comes from the address, as far as it is one', () => {
    expect(readRange({ range: '7d', zone: 'browser', table: true })).toEqual({
      range: '7d',
      zone: 'browser',
      table: true,
    });
    expect(readRange({ range: '24h' })).toEqual({});
    expect(readRange({ range: '2y', zone: 'mars', table: 'no' })).toEqual({});
  });

  it('is the custom one where there is one', () => {
    expect(readRange({ from: '2026-11-01', to: '2026-11-02T00:00:00+01:00', range: '7d' })).toEqual({
      from: '2026-11-01T00:00:00.000Z',
      to: '2026-11-01T23:00:00.000Z',
    });
    expect(readRange({ from: '2026-11-02', to: '2026-11-01', range: '7d' })).toEqual({ range: '7d' });
    expect(readRange({ from: '2026-11-02', range: '7d' })).toEqual({ range: '7d' });
  });

  it('ends with the quarter of an hour under way', () => {
    expect(resolveRange({ range: '1h' }, NOW)).toEqual({
      from: '2026-11-21T17:45:00.000Z',
      to: '2026-11-21T18:45:00.000Z',
    });
    expect(resolveRange({}, NOW).from).toBe('2026-11-20T18:45:00.000Z');
    expect(resolveRange({}, Date.parse('2026-11-21T18:45:00Z')).to).toBe('2026-11-21T19:00:00.000Z');
    const custom = { from: '2026-11-01T00:00:00.000Z', to: '2026-11-02T00:00:00.000Z' };
    expect(resolveRange(custom, NOW)).toEqual(custom);
  });

  it('says what it is compared with', () => {
    expect(beforeText({})).toBe('the 24 hours before');
    expect(beforeText({ from: 'a', to: 'b' })).toBe('the previous period');
  });
});
