import { parseAuditSearch } from './search.js';

it('parses the filters and the open entry from the URL', () => {
  const search = {
    actor: 'ada',
    subject: 'api_key',
    change: 'created',
    from: '2026-11-01',
    to: '2026-11-24',
    entry: 'x',
  };
  expect(parseAuditSearch(search)).toEqual(search);
  // The router parses numeric values as numbers.
  expect(parseAuditSearch({ actor: 7 })).toEqual({ actor: '7' });
});

it('ignores invalid values in the URL of the audit log', () => {
  expect(parseAuditSearch({ actor: '', subject: 1, change: null, from: '2026-13-01', to: '1', entry: 1 })).toEqual({});
});
