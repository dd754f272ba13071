import { readAudit } from './search.js';

it('reads which entries are shown', () => {
  const search = {
    actor: 'ada',
    subject: 'api_key',
    change: 'created',
    from: '2026-11-01',
    to: '2026-11-24',
    entry: 'x',
  };
  expect(readAudit(search)).toEqual(search);
  // The router reads a number as one.
  expect(readAudit({ actor: 7 })).toEqual({ actor: '7' });
});

it('leaves out what does not fit', () => {
  expect(readAudit({ actor: '', subject: 'toString', change: 'x', from: '2026-13-01', to: '1', entry: 1 })).toEqual({});
});
