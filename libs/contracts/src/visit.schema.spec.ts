import { isDeeperThan } from './json-depth.js';
import { validator } from './validator.js';
import { getVisitKinds, VisitSchema, type Visit } from './visit.schema.js';

const visits = validator(VisitSchema);
const visit = (extra: object = {}) => ({ request_path: '/', request_method: 'GET', request_headers: {}, ...extra });

describe('VisitSchema', () => {
  it.each([
    ['only the required fields', {}],
    ['unknown fields', { node_package_version: '1.2.3', anything: { deep: [1] } }],
    [
      'null for optional fields',
      { response_status_code: null, created: null, mcp_request_method: null, acp_response_body: null },
    ],
    [
      'string, list, number, boolean and null header values',
      { request_headers: { a: 'x', b: ['x', 1], c: 1, d: true, e: null } },
    ],
    ['fractional numbers', { response_status_code: 200.5, response_duration_in_milliseconds: 0.1 }],
    ['a date without a time', { created: '2026-11-21' }],
    ['a path of 8 KiB', { request_path: 'x'.repeat(8_192) }],
  ])('accepts a visit with %s', (_, extra) => {
    expect(visits.faults(visit(extra))).toEqual([]);
    expect(visits.is(visit(extra))).toBe(true);
  });

  it.each([
    ['/request_path', { request_path: undefined }, 'is required'],
    ['/request_path', { request_path: null }, 'must be string'],
    ['/request_path', { request_path: 'x'.repeat(8_193) }, 'must have 8192 characters or fewer'],
    ['/request_method', { request_method: 1 }, 'must be string'],
    ['/request_headers', { request_headers: null }, 'must be object'],
    ['/request_headers', { request_headers: [] }, 'must be object'],
    ['/request_headers/a~1b', { request_headers: { 'a/b': {} } }, 'must be string or number or boolean or array'],
    ['/response_status_code', { response_status_code: -1 }, 'must be 0 or more'],
    ['/response_status_code', { response_status_code: '200' }, 'must be number'],
    ['/response_duration_in_milliseconds', { response_duration_in_milliseconds: Infinity }, 'must be number'],
    [
      '/created',
      { created: 'yesterday' },
      'must be an ISO 8601 date or date-time of the years 0001 to 9999, such as 2026-11-21T08:30:00Z',
    ],
    ['/created', { created: 1_763_712_000 }, 'must be string'],
    ['/mcp_response_result_is_error', { mcp_response_result_is_error: 'no' }, 'must be boolean'],
    ['/acp_response_body', { acp_response_body: [] }, 'must be object'],
  ])('reports an invalid value at %s', (pointer, extra, detail) => {
    const value = JSON.parse(JSON.stringify(visit(extra))) as unknown;
    const tested = (extra as { response_duration_in_milliseconds?: number }).response_duration_in_milliseconds
      ? visit(extra)
      : value;
    expect(visits.is(tested)).toBe(false);
    expect(visits.faults(tested, '/3')).toEqual([{ pointer: `/3${pointer}`, detail }]);
  });

  it('reports all faults in a visit', () => {
    expect(visits.faults({}).map((fault) => fault.pointer)).toEqual([
      '/request_path',
      '/request_method',
      '/request_headers',
    ]);
  });

  it('classifies visits by kind', () => {
    expect(getVisitKinds(visit() as Visit)).toEqual(['page']);
    expect(getVisitKinds(visit({ mcp_request_method: null, ucp_response_body: null }) as Visit)).toEqual(['page']);
    expect(getVisitKinds(visit({ mcp_request_method: 'tools/call', ucp_response_body: {} }) as Visit)).toEqual([
      'mcp',
      'ucp',
    ]);
  });
});

describe('isDeeperThan', () => {
  it('measures the depth without recursing beyond the limit', () => {
    expect(isDeeperThan('x', 0)).toBe(false);
    expect(isDeeperThan({ a: [1] }, 2)).toBe(false);
    expect(isDeeperThan({ a: [[1]] }, 2)).toBe(true);
    expect(isDeeperThan(JSON.parse('['.repeat(500_000) + ']'.repeat(500_000)), 64)).toBe(true);
  });
});
