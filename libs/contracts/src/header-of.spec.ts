import { headerOf } from './header-of.js';

describe('headerOf', () => {
  it.each([
    [{ Host: 'a.example' }, 'a.example'],
    [{ cost: 'x', HOST: ['a.example', 'b.example'] }, 'a.example'],
    [{ host: [null, 'b.example'] }, 'b.example'],
    [{ host: null, Host: 0 }, '0'],
    [{ host: [] }, null],
    [{ hosts: 'a.example' }, null],
    [null, null],
    [undefined, null],
  ])('finds the first value in %j', (headers, value) => {
    expect(headerOf(headers, 'host')).toBe(value);
  });
});
