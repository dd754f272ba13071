import type { EnrichedVisit, Visit } from '#libs/contracts';
import { UNKNOWN_AGENT } from '../../../test/kit/unknown-agent.js';
import { checkoutsOf } from './checkouts.js';

const PROJECT = '019a0000-0000-7000-8000-00000000000a';

const read = (bodies: object, projectId = PROJECT) =>
  checkoutsOf({
    project_id: projectId,
    visit: { request_path: '/', request_method: 'POST', request_headers: {}, ...bodies } as Visit,
    identification: UNKNOWN_AGENT,
  } as unknown as EnrichedVisit);
const acp = (body: unknown) => read({ acp_response_body: body })[0] ?? null;

/** An abridged ACP 2026-04-17 checkout session. */
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
  it('extracts only the digest, protocol, state, currency and total of a session', () => {
    expect(acp(SESSION)).toEqual({
      digest: expect.stringMatching(/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/),
      protocol: 'acp',
      state: 'ready_for_payment',
      currency: 'USD',
      total: 1300,
    });
  });

  it('reads a UCP checkout, including one wrapped by MCP', () => {
    const checkout = { ...SESSION, ucp: { version: '2026-08-25' }, status: 'completed', order: { id: 'order_1' } };
    const plain = read({ ucp_response_body: checkout });
    expect(plain).toEqual([expect.objectContaining({ protocol: 'ucp', state: 'completed', total: 1300 })]);
    for (const body of [{ checkout }, { structuredContent: checkout }, { structuredContent: { checkout } }]) {
      expect(read({ ucp_response_body: body })).toEqual(plain);
    }
  });

  it('distinguishes checkouts by project, protocol and ID', () => {
    const digests = [
      acp(SESSION),
      acp({ ...SESSION, id: 'another' }),
      read({ ucp_response_body: SESSION })[0],
      read({ acp_response_body: SESSION }, PROJECT.replace('a', 'b'))[0],
    ].map((checkout) => checkout!.digest);
    expect(new Set(digests).size).toBe(4);
    expect(acp({ ...SESSION, status: 'completed' })!.digest).toBe(digests[0]);
    expect(read({ acp_response_body: SESSION }, PROJECT.toUpperCase())[0]!.digest).toBe(digests[0]);
    expect(JSON.stringify(acp(SESSION))).not.toContain(SESSION.id);
  });

  it('reads both bodies of a visit', () => {
    expect(read({ acp_response_body: SESSION, ucp_response_body: SESSION }).map(({ protocol }) => protocol)).toEqual([
      'acp',
      'ucp',
    ]);
  });

  it('maps "cancelled" to "canceled" and unknown states to "other"', () => {
    expect(acp({ ...SESSION, status: 'cancelled' })!.state).toBe('canceled');
    expect(acp({ ...SESSION, status: 'teleported' })!.state).toBe('other');
    expect(acp({ ...SESSION, status: 'COMPLETED' })!.state).toBe('other');
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'id'],
    ['a list', [SESSION]],
    ['an empty body', {}],
    ['an error', { type: 'invalid_request', code: 'missing', message: 'No items' }],
    ['a message of UCP', { ucp: { version: '2026-08-25', status: 'error' }, messages: [] }],
    ['a cart, which has no state', { id: 'cart_1', currency: 'USD', totals: SESSION.totals }],
    ['an order', { id: 'order_1', checkout_session_id: 'checkout_session_123', status: 'completed' }],
    ['an order of UCP', { id: 'order_1', checkout_id: 'checkout_1', status: 'completed' }],
    ['an id that is a number', { ...SESSION, id: 7 }],
    ['an empty id', { ...SESSION, id: '' }],
    ['a state that is an object', { ...SESSION, status: { toString: 'completed' } }],
    ['a list in place of a checkout', { structuredContent: [SESSION] }],
  ])('finds no checkout in %s', (_, body) => {
    expect(acp(body)).toBeNull();
  });

  it.each([
    ['none', undefined],
    ['an object', { total: 5 }],
    ['a fraction', [{ type: 'total', amount: 12.5 }]],
    ['a text', [{ type: 'total', amount: '1300' }]],
    ['a negative one', [{ type: 'total', amount: -1 }]],
    ['one beyond all reason', [{ type: 'total', amount: 1e15 }]],
    ['an overflow', JSON.parse('[{"type":"total","amount":1e999}]')],
    ['null', [null, { type: 'total', amount: null }]],
    [
      'one after 100,000 others',
      [...Array.from({ length: 100_000 }, () => ({ type: 'tax' })), { type: 'total', amount: 1 }],
    ],
  ])('reports no total for %s', (_, totals) => {
    expect(acp({ ...SESSION, totals })).toMatchObject({ state: 'ready_for_payment', total: null });
  });

  it.each([undefined, null, 5, 'us', 'dollars', 'u$d', 'usd\0', ['usd']])('reports no currency for %j', (currency) => {
    expect(acp({ ...SESSION, currency })!.currency).toBeNull();
  });

  it('ignores properties that every object inherits', () => {
    expect(acp(JSON.parse('{"__proto__":{"id":"x","status":"completed"}}'))).toBeNull();
    expect(acp({ ...SESSION, constructor: 5, structuredContent: { checkout: null } })!.total).toBe(1300);
  });

  it('derives different digests for long IDs', () => {
    const long = acp({ ...SESSION, id: 'x'.repeat(400_000) });
    expect(long!.digest).toHaveLength(36);
    expect(long!.digest).not.toBe(acp({ ...SESSION, id: 'x'.repeat(999) })!.digest);
  });
});
