import { readReferrals } from './search.js';

it('reads the selected assistants, and ignores invalid selections', () => {
  expect(readReferrals({ range: '7d', assistants: 'all', name: 'Claude' })).toEqual({ range: '7d', assistants: 'all' });
  expect(readReferrals({ assistants: 'new' })).toEqual({ assistants: 'new' });
  expect(readReferrals({ assistants: 'one', name: 'Claude' })).toEqual({ assistants: 'one', name: 'Claude' });
  expect(readReferrals({ assistants: 'one', name: 42 })).toEqual({ assistants: 'one', name: '42' });
  expect(readReferrals({ assistants: 'one' })).toEqual({});
  expect(readReferrals({ assistants: 'some', name: 'Claude' })).toEqual({});
});
