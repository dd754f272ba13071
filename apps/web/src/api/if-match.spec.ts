import { ifMatch, rememberOwn } from './if-match.js';

const tagOf = (etag: string) => ifMatch(etag).headers?.['If-Match'];

it('sends the version that was read, or the latest one this page saved over it', () => {
  expect(ifMatch(null)).toEqual({});
  expect(tagOf('"a"')).toBe('"a"');
  rememberOwn('"a"', '"b"');
  rememberOwn('"a"', '"c"');
  expect(tagOf('"a"')).toBe('"c"');
  expect(tagOf('"b"')).toBe('"c"');
});

it('resolves versions when a change is reverted', () => {
  rememberOwn('"x"', '"y"');
  rememberOwn('"y"', '"x"');
  expect([tagOf('"x"'), tagOf('"y"')]).toEqual(['"x"', '"x"']);
  rememberOwn('"x"', '"x"');
  expect(tagOf('"y"')).toBe('"x"');
});
