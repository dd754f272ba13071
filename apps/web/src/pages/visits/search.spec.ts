import { parseVisitsSearch } from './search.js';

it('parses the range, filters, order and columns, and ignores invalid values', () => {
  const from = '2026-11-01T00:00:00.000Z';
  const to = '2026-11-02T00:00:00.000Z';
  expect(parseVisitsSearch({ from, to, address: '192.0.2.0/24', page: '/', zone: 'browser', order: 'oldest' })).toEqual(
    {
      from,
      to,
      address: '192.0.2.0/24',
      page: '/',
      zone: 'browser',
      order: 'oldest',
    },
  );
  expect(parseVisitsSearch({ range: '7d', order: 'newest', columns: 'status,agent,nothing' })).toEqual({
    range: '7d',
    columns: 'agent,status',
  });
  expect(parseVisitsSearch({ order: 'status', columns: 'nothing' })).toEqual({});
});
