import { AUDIT_CSV_HEADER, toCsvLine } from './audit-csv.js';

it('escapes values that spreadsheets would run as formulas', () => {
  const line = toCsvLine({
    id: '6f7c2f1e-0000-4000-8000-000000000000',
    occurred_at: '2026-11-24T18:00:00.000Z',
    project_id: null,
    actor: { type: 'api_key', id: '7', name: '=Key()', address: '192.0.2.7', via: 'api', request_id: null },
    operation: 'changeProject',
    change: 'changed',
    subject: { type: 'project', id: '8', name: 'Shop' },
    before: { name: 'Store' },
    after: { name: 'Shop' },
  });
  expect(line).toBe(
    "6f7c2f1e-0000-4000-8000-000000000000,2026-11-24T18:00:00.000Z,,api_key,7,'=Key(),192.0.2.7,api,,changeProject," +
      'changed,project,8,Shop,"{""name"":""Store""}","{""name"":""Shop""}"\r\n',
  );
  expect(AUDIT_CSV_HEADER.split(',')).toHaveLength(line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).length);
});
