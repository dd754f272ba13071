import { ifMatch, recordReplacement } from './if-match.js';

const getSentEtag = (etag: string) => ifMatch(etag).headers?.['If-Match'];

it('sends the loaded version, or the latest version this page has saved since', () => {
  expect(ifMatch(null)).toEqual({});
  expect(getSentEtag('"a"')).toBe('"a"');
  recordReplacement('"a"', '"b"');
  recordReplacement('"a"', '"c"');
  expect(getSentEtag('"a"')).toBe('"c"');
  expect(getSentEtag('"b"')).toBe('"c"');
});

it('sends the restored version for both earlier versions after a change is reverted', () => {
  recordReplacement('"x"', '"y"');
  recordReplacement('"y"', '"x"');
  expect([getSentEtag('"x"'), getSentEtag('"y"')]).toEqual(['"x"', '"x"']);
  recordReplacement('"x"', '"x"');
  expect(getSentEtag('"y"')).toBe('"x"');
});
