import { parseXRobotsTag } from './x-robots-tag.js';

it.each([
  ['noindex', ['search disallowed']],
  ['all', ['search allowed']],
  ['nofollow, NoSnippet, noarchive', ['user disallowed']],
  ['max-snippet:0, max-image-preview:large', ['user disallowed']],
  ['max-snippet: 20, unavailable_after: 25 Jun 2026 15:00:00 PST', []],
  ['unavailable_after: Wed, 03 Nov 2027 15:00:00 GMT, noindex', ['search disallowed']],
  ['otherbot: unavailable_after: Wed, 03 Nov 2027 15:00:00 GMT, noindex', []],
  ['googlebot: nofollow', []],
  ['otherbot: noindex, nofollow', []],
  ['otherbot: noindex, googlebot: none, noai', ['search disallowed', 'training disallowed']],
  ['noai, noimageai', ['training disallowed']],
  ['constructor, toString:, :', []],
])('parses %s', (text, expected) =>
  expect(parseXRobotsTag(text, 'Googlebot').map(({ purpose, outcome }) => `${purpose} ${outcome}`)).toEqual(expected),
);

it('ignores directives for named agents if the agent has no token', () =>
  expect(parseXRobotsTag('null: noindex', null)).toEqual([]));
