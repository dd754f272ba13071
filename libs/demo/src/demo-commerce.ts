import type { ShopRequest } from './demo-shop.js';
import type { SeededRandom } from './seeded-random.js';

/** Agent purchase protocols: Agentic Commerce Protocol and Universal Commerce Protocol. */
export type Protocol = 'acp' | 'ucp';

interface CheckoutStep extends ShopRequest {
  /** Delay since the first step, in milliseconds. */
  after: number;
  extra: object;
}

export const MAX_CHECKOUT_MS = 300_000;

const TOOLS = ['search_products', 'get_product', 'check_stock', 'list_categories', 'track_order'];
const NONEXISTENT_TOOLS = ['add_to_cart', 'get_reviews', 'apply_coupon'];
/** Typical duration of each entry in `TOOLS`, in milliseconds. */
const TOOL_DURATIONS_MS = [120, 25, 15, 8, 300];

/** Client release from which on clients use the current protocol version. */
const FIRST_CURRENT_RELEASE = 2;
/** Requests other than tool calls, by the client's release. */
const OTHER_REQUESTS = [
  { mcp_request_method: 'tools/list' },
  { mcp_request_method: 'tools/list' },
  { mcp_request_method: 'tools/list' },
  { mcp_request_method: 'resources/read', mcp_request_tool_name: 'shop://returns-policy' },
  { mcp_request_method: 'resources/read', mcp_request_tool_name: 'shop://size-chart' },
  { mcp_request_method: 'prompts/get', mcp_request_tool_name: 'find_a_gift' },
];

/** Generates the visit fields for a call to the shop's MCP server. */
export function generateMcpCall(random: SeededRandom, client: string): object {
  const release = random.nextBelow(OTHER_REQUESTS.length);
  const clientInfo = {
    mcp_request_protocol_version: release < FIRST_CURRENT_RELEASE ? '2025-11-25' : '2026-07-28',
    mcp_request_client_info_name: client,
    mcp_request_client_info_version: `1.${release}.0`,
  };
  if (random.chance(0.2)) return { ...OTHER_REQUESTS[release], ...clientInfo };
  const call = { mcp_request_method: 'tools/call', ...clientInfo };
  if (random.chance(0.03)) {
    const tool = random.pickEarly(NONEXISTENT_TOOLS);
    const error = { mcp_response_error_code: -32_602, mcp_response_error_message: `Unknown tool: ${tool}` };
    return { ...call, mcp_request_tool_name: tool, ...error };
  }
  const tool = random.pickEarly(TOOLS);
  const typicalDurationMs = TOOL_DURATIONS_MS[TOOLS.indexOf(tool)]!;
  const outcome = random.chance(0.01)
    ? { mcp_response_error_code: -32_603, mcp_response_error_message: 'Internal error' }
    : { mcp_response_result_is_error: random.chance(0.05) };
  return {
    ...call,
    mcp_request_tool_name: tool,
    response_duration_in_milliseconds: Math.round(
      typicalDurationMs * (0.5 + random.next()) * (random.chance(0.05) ? 8 : 1),
    ),
    ...outcome,
  };
}

/** Checkout states in order. Many checkouts never reach the last one. */
const CHECKOUT_STATES = {
  acp: ['not_ready_for_payment', 'ready_for_payment', 'completed'],
  ucp: ['incomplete', 'ready_for_complete', 'completed'],
} as const;
const CHECKOUT_PATHS = { acp: '/checkout_sessions', ucp: '/checkout-sessions' };

/** Generates checkout steps that end with a purchase, a cancellation or an abandoned cart. */
export function generateCheckoutSteps(random: SeededRandom, protocol: Protocol): CheckoutStep[] {
  const id = `checkout_${random.nextBytes(6).toString('hex')}`;
  const currency = random.chance(0.8) ? 'eur' : 'usd';
  const price = 1_900 + 100 * random.nextBelow(400);
  const completion = random.next();
  const reachedStates = CHECKOUT_STATES[protocol].slice(0, completion < 0.55 ? 3 : completion < 0.85 ? 2 : 1);
  const states = completion > 0.75 && completion < 0.85 ? [...reachedStates, 'canceled'] : reachedStates;
  return states.map((status, index) => {
    const total = index === 0 ? price : price + 490;
    const pathSuffix = { completed: '/complete', canceled: '/cancel' }[status as string] ?? '';
    return {
      path: index === 0 ? CHECKOUT_PATHS[protocol] : `${CHECKOUT_PATHS[protocol]}/${id}${pathSuffix}`,
      method: 'POST',
      status: index === 0 ? 201 : 200,
      duration: 90 + random.nextBelow(200),
      after: (index * MAX_CHECKOUT_MS) / 4 + random.nextBelow(MAX_CHECKOUT_MS / 5),
      extra: {
        [`${protocol}_response_body`]: {
          ...(protocol === 'ucp' && { ucp: { version: '2026-08-25' } }),
          id,
          status,
          currency: protocol === 'ucp' ? currency.toUpperCase() : currency,
          totals: [
            { type: 'subtotal', amount: price },
            { type: 'total', amount: total },
          ],
        },
      },
    };
  });
}
