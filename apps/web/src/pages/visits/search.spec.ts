import { readVisits } from './search.js';

it('reads a valid range, filters, order and columns', () => {
  const from = '2026-11-01T00:00:00.000Z';
  const to = '2026-11-02T00:00:00.000Z';
  expect(readVisits({ from, to, address: '192.0.2.0/24', page: '/', zone: 'browser', order: 'oldest' })).toEqual({
    from,
    to,
    address: '192.0.2.0/24',
    page: '/',
    zone: 'browser',
    order: 'oldest',
  });
  expect(readVisits({ range: '7d', order: 'newest', columns: 'status,agent,nothing' })).toEqual({
    range: '7d',
    columns: 'agent,status',
  });
  expect(readVisits({ order: 'status', columns: 'nothing' })).toEqual({});
});
