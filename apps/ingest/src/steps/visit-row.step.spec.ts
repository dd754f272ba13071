import { ENRICHED_VISITS, type Outcome } from '#libs/bus';
import { createBatchId } from '#libs/contracts';
import type { VisitRow } from '#libs/visit-store';
import { UNKNOWN_AGENT } from '../../../../test/kit/unknown-agent.js';
import { toVisitRow } from './visit-row.step.js';

const NOW = Date.parse('2026-11-21T08:00:00Z');
const DAY = 86_400_000;

const enriched = (extra: { id?: string; visit?: object } = {}) => ({
  id: createBatchId(NOW),
  project_id: '019a0000-0000-7000-8000-000000000000',
  received_at: '2026-11-21T08:00:00.000Z',
  occurred_at: '2026-11-21T07:00:00.000Z',
  client_address: null,
  identification: UNKNOWN_AGENT,
  ...extra,
  visit: { request_path: '/a?b=1', request_method: 'GET', request_headers: {}, ...extra.visit },
});

/** Returns the row, or the outcome if the visit is dropped or rejected. */
const toRow = (json: unknown): VisitRow | Outcome => {
  const value = Buffer.from(typeof json === 'string' ? json : JSON.stringify(json));
  const decoded = ENRICHED_VISITS.decode({ topic: ENRICHED_VISITS.name, key: null, value, headers: {} });
  const result = decoded.ok ? toVisitRow(decoded.value.visit, NOW, { days: 90, unknownDays: 90 }) : decoded;
  return result.ok ? result.value : result.outcome;
};

describe('visitRow', () => {
  it('derives the columns from the document and stores the document unchanged', () => {
    const value = enriched({ visit: { response_status_code: 404, mcp_request_tool_name: 'search' } });
    expect(toRow(value)).toMatchObject({
      id: value.id,
      occurredAt: NOW - 3_600_000,
      path: '/a?b=1',
      page: '/a',
      status: 404,
      mcpTool: 'search',
      kinds: 2,
      document: value,
    });
  });

  it('derives the size, the time and the cache result of the response', () => {
    const visit = {
      response_duration_in_milliseconds: 12.3456,
      response_size_in_bytes: 4096,
      response_headers: { 'x-cache': 'Miss' },
    };
    expect(toRow(enriched({ visit }))).toMatchObject({ responseUs: 12_346, responseBytes: 4096, responseFlags: 4 });
    const reported = { ...visit, response_size_type: 'sent', response_cache: 'hit' };
    expect(toRow(enriched({ visit: reported }))).toMatchObject({ responseFlags: 3 });
    const long = { response_duration_in_milliseconds: 1e300, response_size_type: 'sent' };
    expect(toRow(enriched({ visit: long }))).toMatchObject({ responseUs: 2_147_483_647, responseFlags: null });
  });

  it.each([
    [{ response_status_code: 402 }, 512],
    [{ response_headers: { 'Payment-Response': '[redacted]' } }, 512],
    [{ response_status_code: 302, response_headers: { location: 'https://tolls.example/' } }, 1_024],
    [{ response_status_code: 302, response_headers: { location: '/tolls' } }, null],
  ])('flags payments and redirects to other hosts: %j', (visit, responseFlags) => {
    expect(toRow(enriched({ visit }))).toMatchObject({ responseFlags });
  });

  it.each([{}, { response_duration_in_milliseconds: null, response_size_in_bytes: null, response_cache: null }])(
    'stores no size and time for %j',
    (visit) => {
      expect(toRow(enriched({ visit }))).toMatchObject({ responseUs: null, responseBytes: null, responseFlags: null });
    },
  );

  it("replaces characters that PostgreSQL can't store", () => {
    const sanitizedRow = toRow(enriched({ visit: { request_path: '/\0\ud800', mcp_request_tool_name: '\udfff' } }));
    expect(sanitizedRow).toMatchObject({ path: '/\ufffd\ufffd', page: '/\ufffd\ufffd', mcpTool: '\ufffd' });
  });

  it('drops visits past retention and rejects visits from the future', () => {
    expect(toRow(enriched({ id: createBatchId(NOW - 91 * DAY) }))).toEqual({ kind: 'drop', reason: 'past_retention' });
    expect(toRow(enriched({ id: createBatchId(NOW - 89 * DAY) }))).toHaveProperty('document');
    expect(toRow(enriched({ id: createBatchId(NOW + 3_600_001) }))).toMatchObject({ reason: 'from_the_future' });
    expect(toRow(enriched({ id: createBatchId(NOW + 3_500_000) }))).toHaveProperty('document');
  });

  it.each(['{', '[]', '{}', JSON.stringify({ ...enriched(), project_id: 'x' })])(
    'rejects the message %s as malformed',
    (value) => {
      expect(toRow(value)).toMatchObject({ kind: 'dead-letter', reason: 'malformed_message' });
    },
  );
});
