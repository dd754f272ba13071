import type { Request } from './demo-shop.js';
import type { SeededRandom } from './seeded-random.js';

/** Protocols for purchases by agents: Agentic Commerce Protocol and Universal Commerce Protocol. */
export type Protocol = 'acp' | 'ucp';

interface CheckoutStep extends Request {
  /** Milliseconds since the first step. */
  after: number;
  extra: object;
}

export const MAX_CHECKOUT_MS = 300_000;

const TOOLS = ['search_products', 'get_product', 'check_stock', 'list_categories', 'track_order'];
const GUESSED_TOOLS = ['add_to_cart', 'get_reviews', 'apply_coupon'];
/** Usual duration of each tool in milliseconds. */
const TOOL_DURATIONS = [120, 25, 15, 8, 300];

/** Returns the visit fields of a call to the shop's MCP server. */
export function mcpCall(random: SeededRandom, client: string): object {
  const caller = {
    mcp_request_client_info_name: client,
    mcp_request_client_info_version: `1.${random.below(6)}.0`,
  };
  if (random.chance(0.2)) return { mcp_request_method: 'tools/list', ...caller };
  const call = { mcp_request_method: 'tools/call', ...caller };
  if (random.chance(0.03)) {
    const tool = random.pickEarly(GUESSED_TOOLS);
    const error = { mcp_response_error_code: -32_602, mcp_response_error_message: `Unknown tool: ${tool}` };
    return { ...call, mcp_request_tool_name: tool, ...error };
  }
  const tool = random.pickEarly(TOOLS);
  const usual = TOOL_DURATIONS[TOOLS.indexOf(tool)]!;
  const answer = random.chance(0.01)
    ? { mcp_response_error_code: -32_603, mcp_response_error_message: 'Internal error' }
    : { mcp_response_result_is_error: random.chance(0.05) };
  return {
    ...call,
    mcp_request_tool_name: tool,
    response_duration_in_milliseconds: Math.round(usual * (0.5 + random.next()) * (random.chance(0.05) ? 8 : 1)),
    ...answer,
  };
}

/** Checkout states in order. Many checkouts end before the last. */
const STATES = {
  acp: ['not_ready_for_payment', 'ready_for_payment', 'completed'],
  ucp: ['incomplete', 'ready_for_complete', 'completed'],
} as const;
const PATHS = { acp: '/checkout_sessions', ucp: '/checkout-sessions' };

/** Returns the steps of a checkout, up to the purchase or until the agent gives up. */
export function checkoutSteps(random: SeededRandom, protocol: Protocol): CheckoutStep[] {
  const id = `checkout_${random.bytes(6).toString('hex')}`;
  const currency = random.chance(0.8) ? 'eur' : 'usd';
  const price = 1_900 + 100 * random.below(400);
  const end = random.next();
  const reached = STATES[protocol].slice(0, end < 0.55 ? 3 : end < 0.85 ? 2 : 1);
  const states = end > 0.75 && end < 0.85 ? [...reached, 'canceled'] : reached;
  return states.map((status, index) => {
    const total = index === 0 ? price : price + 490;
    const steps = { completed: '/complete', canceled: '/cancel' }[status as string] ?? '';
    return {
      path: index === 0 ? PATHS[protocol] : `${PATHS[protocol]}/${id}${steps}`,
      method: 'POST',
      status: index === 0 ? 201 : 200,
      duration: 90 + random.below(200),
      after: (index * MAX_CHECKOUT_MS) / 4 + random.below(MAX_CHECKOUT_MS / 5),
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
