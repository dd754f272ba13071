import { parseLoadSearch } from './search.js';

it('parses valid parameters and drops invalid ones', () => {
  const search = { range: '30d', by: 'page', measure: 'bytes', cut: 'true', unknown: 'true', agent: 'GPTBot' };
  expect(JSON.parse(JSON.stringify(parseLoadSearch(search)))).toEqual({ ...search, cut: true, unknown: true });
  expect(parseLoadSearch({ range: 'x', by: 'agent', measure: 'visits', unknown: 'no', agent: {} })).toEqual({});
});
