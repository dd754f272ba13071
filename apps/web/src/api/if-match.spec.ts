import { ifMatch, rememberOwn } from './if-match.js';

const tagOf = (etag: string) => ifMatch(etag).headers?.['If-Match'];

it('is of the version that was read, and of what this page made of it', () => {
  expect(ifMatch(null)).toEqual({});
  expect(tagOf('"a"')).toBe('"a"');
  rememberOwn('"a"', '"b"');
  rememberOwn('"a"', '"c"');
  expect(tagOf('"a"')).toBe('"c"');
  expect(tagOf('"b"')).toBe('"c"');
});

it('ends where something is changed back', () => {
  rememberOwn('"x"', '"y"');
  rememberOwn('"y"', '"x"');
  expect([tagOf('"x"'), tagOf('"y"')]).toEqual(['"x"', '"x"']);
  rememberOwn('"x"', '"x"');
  expect(tagOf('"y"')).toBe('"x"');
});
