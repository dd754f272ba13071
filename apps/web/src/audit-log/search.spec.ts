import { readAudit } from './search.js';

it('reads the filters', () => {
  const search = {
    actor: 'ada',
    subject: 'api_key',
    change: 'created',
    from: '2026-11-01',
    to: '2026-11-24',
    entry: 'x',
  };
  expect(readAudit(search)).toEqual(search);
  // The router parses numeric values as numbers.
  expect(readAudit({ actor: 7 })).toEqual({ actor: '7' });
});

it('ignores invalid values', () => {
  expect(readAudit({ actor: '', subject: 'toString', change: 'x', from: '2026-13-01', to: '1', entry: 1 })).toEqual({});
});
