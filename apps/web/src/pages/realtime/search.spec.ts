import { parseRealtimeSearch } from './search.js';

it('ignores the client address and the range in the URL', () => {
  expect(parseRealtimeSearch({ address: '192.0.2.0/24', status: 404, from: '2026-11-01' })).toEqual({ status: '404' });
});
