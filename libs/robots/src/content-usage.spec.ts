import { parseContentUsage } from './content-usage.js';

const parse = (text: string): Record<string, boolean> =>
  Object.fromEntries(parseContentUsage(text).map(({ name, isAllowed }) => [name, isAllowed]));

// Examples of draft-ietf-aipref-vocab-08, section 6, and of RFC 9651, section 4.2.2.
it.each([
  ['train-ai=n, search=y', { 'train-ai': false, search: true }],
  ['train-ai=n', { 'train-ai': false }],
  ['train-ai=n, ai-use=n, search=y', { 'train-ai': false, 'ai-use': false, search: true }],
  ['  train-ai=n\t,\tsearch=y  ', { 'train-ai': false, search: true }],
  ['train-ai=y, train-ai, search=n, search="n"', {}],
  ['train-ai=n, train-ai=y', { 'train-ai': true }],
  ['train-ai;allow=n, search=y;a="x";b', { search: true }],
  ['train-ai;allow=n, train-ai=y', { 'train-ai': true }],
  ['train-ai="n"', {}],
  ['train-ai=no', {}],
  ['train-ai=?0, search=1.5, ai-use=:aGk=:, a=@1659578233', {}],
  ['train-ai=(y n), ai-use=%"n", search=y', { search: true }],
  ['bots=n', { bots: false }],
  ['', {}],
])('parses %s', (text, preferences) => expect(parse(text)).toEqual(preferences));

it.each([
  'TRAIN-AI=n',
  'train-ai=n,',
  ',train-ai=n',
  'train-ai=n search=y',
  'train-ai=n; =y',
  'train-ai="n',
  '=n',
  'a=n # b',
])('treats all preferences as unknown if the text isn’t a dictionary: %s', (text) => expect(parse(text)).toEqual({}));

it('rejects long texts', () => expect(parse(`${'a=n, '.repeat(1_000)}train-ai=n`)).toEqual({}));
