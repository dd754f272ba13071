import { isSameContent } from './is-same-content.js';

describe('isSameContent', () => {
  it('ignores the order of keys and undefined keys', () => {
    expect(isSameContent([{ a: 1, b: { c: 2, d: 3 } }], [{ b: { d: 3, c: 2 }, a: 1, e: undefined }])).toBe(true);
  });

  it('compares values and the order of items', () => {
    expect(isSameContent({ a: [1, 2] }, { a: [2, 1] })).toBe(false);
    expect(isSameContent({ a: 1 }, { a: 1, b: null })).toBe(false);
  });
});
