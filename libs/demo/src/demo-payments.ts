import type { ShopRequest } from './demo-shop.js';
import type { SeededRandom } from './seeded-random.js';

interface PaymentStep extends ShopRequest {
  /** Delay since the first step, in milliseconds. */
  after: number;
  /** Request headers in addition to the agent's. */
  headers: Record<string, string>;
  extra: { response_headers: Record<string, string> };
}

/** Maximum time from the first to the last step of a payment, in milliseconds. */
export const MAX_PAYMENT_MS = 600_000;

type PaymentReaction = 'pay' | 'x402' | 'ignore' | 'disguise';

interface AskedAgent {
  token: string;
  /** Average number of requests for paid articles per day. */
  daily: number;
  reaction: PaymentReaction;
}

/** Agents that the shop asks to pay for its archive, and their reactions. */
export const ASKED_AGENTS: readonly AskedAgent[] = [
  { token: 'GPTBot', daily: 3, reaction: 'pay' },
  { token: 'PerplexityBot', daily: 2, reaction: 'x402' },
  { token: 'ClaudeBot', daily: 2, reaction: 'ignore' },
  { token: 'Bytespider', daily: 1, reaction: 'disguise' },
  { token: 'ChatGPT-User', daily: 1, reaction: 'ignore' },
];

export const ARCHIVED_ARTICLES = [
  'oak-care-1998',
  'history-of-the-lamp',
  'interview-with-a-weaver',
  'small-rooms-2012',
];
/** Price of an article in the archive. */
export const PRICE = 'USD 0.01';
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
/** One cent in USDC on Base. Wallets and signatures are missing, as in stored visits. */
const OPTION = {
  scheme: 'exact',
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  amount: '10000',
};

/** Generates a request for a paid article, and the agent's reaction to the price. */
export function generatePaymentSteps(random: SeededRandom, reaction: PaymentReaction): PaymentStep[] {
  const path = `/archive/${random.pickEarly(ARCHIVED_ARTICLES)}`;
  const step = (
    after: number,
    status: number,
    headers: Record<string, string>,
    responseHeaders: Record<string, string>,
  ): PaymentStep => ({ path, status, duration: 12, after, headers, extra: { response_headers: responseHeaders } });
  const after = 2_000 + random.nextBelow(MAX_PAYMENT_MS - 2_000);
  const isX402 = reaction === 'x402';
  const price: Record<string, string> = isX402
    ? { 'payment-required': JSON.stringify({ x402Version: 2, accepts: [OPTION] }) }
    : { 'crawler-price': PRICE };
  const asked = step(0, 402, {}, price);
  if (reaction === 'ignore') return [asked];
  if (reaction === 'disguise') return [asked, step(after, 200, { 'user-agent': BROWSER }, {})];
  if (random.chance(0.15))
    return [asked, step(after, 402, { 'crawler-exact-price': PRICE }, { 'crawler-error': 'PaymentFailed' })];
  const paid = isX402
    ? step(
        after,
        200,
        { 'payment-signature': JSON.stringify({ x402Version: 2, accepted: OPTION }) },
        { 'payment-response': '{"success":true,"network":"eip155:8453"}' },
      )
    : step(after, 200, { 'crawler-exact-price': PRICE }, { 'crawler-charged': PRICE });
  return [asked, paid];
}
