import { readAgents } from './search.js';

it('reads what is searched for, as far as it fits', () => {
  expect(readAgents({ q: 'bot', type: 'Scraper', sort: 'last_seen', range: '7d' })).toEqual({
    q: 'bot',
    type: 'Scraper',
    sort: 'last_seen',
    range: '7d',
  });
  expect(readAgents({ q: 360, type: '', sort: 'visits' })).toEqual({ q: '360' });
  expect(readAgents({ q: {}, sort: 'size' })).toEqual({});
});
