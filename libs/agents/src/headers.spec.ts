import { normalizeHeaders } from './headers.js';

describe('normalizeHeaders', () => {
  it('lowercases names and accepts strings, numbers, booleans and arrays', () => {
    const headers = normalizeHeaders({
      'User-Agent': ' curl/8 ',
      DNT: 1,
      'X-Flag': true,
      Accept: ['a', 2, null, false],
    });
    expect({ ...headers }).toEqual({ 'user-agent': 'curl/8', dnt: '1', 'x-flag': 'true', accept: 'a, 2, false' });
  });

  it('drops null, undefined, empty arrays and objects', () => {
    expect(Object.keys(normalizeHeaders({ a: null, b: [], c: [null], d: { x: 1 }, e: undefined }))).toEqual([]);
  });

  it('preserves empty values', () => {
    expect(normalizeHeaders({ Accept: '' })['accept']).toBe('');
  });

  it('joins the values for names that differ only in case, in order', () => {
    expect(normalizeHeaders({ 'X-Forwarded-For': '1.1.1.1', 'x-forwarded-for': ['2.2.2.2'] })['x-forwarded-for']).toBe(
      '1.1.1.1, 2.2.2.2',
    );
  });

  it.each([
    ['a\r\n  b', 'a b'],
    ['a \t\n\tb\r\n c', 'a b c'],
    ['a\nb', 'a\nb'],
    ['\n a\n ', 'a'],
  ])('unfolds line continuations in %j', (value, expected) => {
    expect(normalizeHeaders({ a: value })['a']).toBe(expected);
  });

  it('treats names such as __proto__ like any other name', () => {
    const headers = normalizeHeaders(JSON.parse('{"__proto__": "x", "constructor": "y"}') as Record<string, unknown>);
    expect(Object.keys(headers)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(headers)).toBeNull();
    expect(headers['tostring']).toBeUndefined();
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
});
