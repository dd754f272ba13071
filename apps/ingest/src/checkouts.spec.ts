import type { EnrichedVisit, Visit } from '#libs/contracts';
import { UNKNOWN_AGENT } from '../../../test/kit/unknown-agent.js';
import { extractCheckouts } from './checkouts.js';

const PROJECT = '019a0000-0000-7000-8000-00000000000a';

const extractFrom = (bodies: object, projectId = PROJECT) =>
  extractCheckouts({
    project_id: projectId,
    visit: { request_path: '/', request_method: 'POST', request_headers: {}, ...bodies } as Visit,
    identification: UNKNOWN_AGENT,
  } as unknown as EnrichedVisit);
const extractAcp = (body: unknown) => extractFrom({ acp_response_body: body })[0] ?? null;

/** Abridged checkout session from ACP 2026-04-17. */
const SESSION = {
  id: 'checkout_session_123',
  status: 'ready_for_payment',
  currency: 'usd',
  buyer: { first_name: 'Ada', email: 'ada@example.com' },
  line_items: [{ id: 'line_1', totals: [{ type: 'total', amount: 700 }] }],
  totals: [
    { type: 'subtotal', display_text: 'Subtotal', amount: 1200 },
    { type: 'tax', display_text: 'Tax', amount: 100 },
    { type: 'total', display_text: 'Total', amount: 1300 },
  ],
};

describe('checkoutsOf', () => {
  it('extracts only the digest, protocol, state, currency and total from a checkout session', () => {
    expect(extractAcp(SESSION)).toEqual({
      digest: expect.stringMatching(/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/),
      protocol: 'acp',
      state: 'ready_for_payment',
      currency: 'USD',
      total: 1300,
    });
  });

  it('reads a UCP checkout, including one wrapped by MCP', () => {
    const checkout = { ...SESSION, ucp: { version: '2026-08-25' }, status: 'completed', order: { id: 'order_1' } };
    const plain = extractFrom({ ucp_response_body: checkout });
    expect(plain).toEqual([expect.objectContaining({ protocol: 'ucp', state: 'completed', total: 1300 })]);
    for (const body of [{ checkout }, { structuredContent: checkout }, { structuredContent: { checkout } }]) {
      expect(extractFrom({ ucp_response_body: body })).toEqual(plain);
    }
  });

  it('distinguishes checkouts by project, protocol and ID', () => {
    const digests = [
      extractAcp(SESSION),
      extractAcp({ ...SESSION, id: 'another' }),
      extractFrom({ ucp_response_body: SESSION })[0],
      extractFrom({ acp_response_body: SESSION }, PROJECT.replace('a', 'b'))[0],
    ].map((checkout) => checkout!.digest);
    expect(new Set(digests).size).toBe(4);
    expect(extractAcp({ ...SESSION, status: 'completed' })!.digest).toBe(digests[0]);
    expect(extractFrom({ acp_response_body: SESSION }, PROJECT.toUpperCase())[0]!.digest).toBe(digests[0]);
    expect(JSON.stringify(extractAcp(SESSION))).not.toContain(SESSION.id);
  });

  it('reads checkouts from both the ACP body and the UCP body', () => {
    expect(
      extractFrom({ acp_response_body: SESSION, ucp_response_body: SESSION }).map(({ protocol }) => protocol),
    ).toEqual(['acp', 'ucp']);
  });

  it('maps "cancelled" to "canceled" and unknown states to "other"', () => {
    expect(extractAcp({ ...SESSION, status: 'cancelled' })!.state).toBe('canceled');
    expect(extractAcp({ ...SESSION, status: 'teleported' })!.state).toBe('other');
    expect(extractAcp({ ...SESSION, status: 'COMPLETED' })!.state).toBe('other');
  });

  it.each([
    ['a missing body', undefined],
    ['null', null],
    ['a string', 'id'],
    ['an array', [SESSION]],
    ['an empty body', {}],
    ['an error', { type: 'invalid_request', code: 'missing', message: 'No items' }],
    ['a UCP message', { ucp: { version: '2026-08-25', status: 'error' }, messages: [] }],
    ['a cart, which has no state', { id: 'cart_1', currency: 'USD', totals: SESSION.totals }],
    ['an order', { id: 'order_1', checkout_session_id: 'checkout_session_123', status: 'completed' }],
    ['a UCP order', { id: 'order_1', checkout_id: 'checkout_1', status: 'completed' }],
    ['a session with a numeric ID', { ...SESSION, id: 7 }],
    ['a session with an empty ID', { ...SESSION, id: '' }],
    ['a session with an object as its state', { ...SESSION, status: { toString: 'completed' } }],
    ['an array instead of a checkout', { structuredContent: [SESSION] }],
  ])('finds no checkout in %s', (_, body) => {
    expect(extractAcp(body)).toBeNull();
  });

  it.each([
    ['missing totals', undefined],
    ['an object', { total: 5 }],
    ['a fractional amount', [{ type: 'total', amount: 12.5 }]],
    ['a string', [{ type: 'total', amount: '1300' }]],
    ['a negative amount', [{ type: 'total', amount: -1 }]],
    ['an implausibly large amount', [{ type: 'total', amount: 1e15 }]],
    ['an infinite amount', JSON.parse('[{"type":"total","amount":1e999}]')],
    ['null', [null, { type: 'total', amount: null }]],
    [
      'a total after 100,000 other items',
      [...Array.from({ length: 100_000 }, () => ({ type: 'tax' })), { type: 'total', amount: 1 }],
    ],
  ])('reports no total for %s', (_, totals) => {
    expect(extractAcp({ ...SESSION, totals })).toMatchObject({ state: 'ready_for_payment', total: null });
  });

  it.each([undefined, null, 5, 'us', 'dollars', 'u$d', 'usd\0', ['usd']])('reports no currency for %j', (currency) => {
    expect(extractAcp({ ...SESSION, currency })!.currency).toBeNull();
  });

  it('ignores inherited properties', () => {
    expect(extractAcp(JSON.parse('{"__proto__":{"id":"x","status":"completed"}}'))).toBeNull();
    expect(extractAcp({ ...SESSION, constructor: 5, structuredContent: { checkout: null } })!.total).toBe(1300);
  });

  it('derives different digests for long checkout IDs', () => {
    const long = extractAcp({ ...SESSION, id: 'x'.repeat(400_000) });
    expect(long!.digest).toHaveLength(36);
    expect(long!.digest).not.toBe(extractAcp({ ...SESSION, id: 'x'.repeat(999) })!.digest);
  });
});
