import { getHeader } from './get-header.js';

describe('getHeader', () => {
  it.each([
    [{ Host: 'a.example' }, 'a.example'],
    [{ cost: 'x', HOST: ['a.example', 'b.example'] }, 'a.example'],
    [{ host: [null, 'b.example'] }, 'b.example'],
    [{ host: null, Host: 0 }, '0'],
    [{ host: [] }, null],
    [{ hosts: 'a.example' }, null],
    [null, null],
    [undefined, null],
  ])('looks up the first host value in %j', (headers, value) => {
    expect(getHeader(headers, 'host')).toBe(value);
  });
});
