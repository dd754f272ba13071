import { parseReferralsSearch } from './search.js';

it('parses the selected view and ignores invalid ones', () => {
  expect(parseReferralsSearch({ range: '7d', assistants: 'all', name: 'Claude' })).toEqual({
    range: '7d',
    assistants: 'all',
  });
  expect(parseReferralsSearch({ assistants: 'new' })).toEqual({ assistants: 'new' });
  expect(parseReferralsSearch({ assistants: 'one', name: 'Claude' })).toEqual({ assistants: 'one', name: 'Claude' });
  expect(parseReferralsSearch({ assistants: 'one', name: 42 })).toEqual({ assistants: 'one', name: '42' });
  expect(parseReferralsSearch({ assistants: 'one' })).toEqual({});
  expect(parseReferralsSearch({ assistants: 'some', name: 'Claude' })).toEqual({});
});
