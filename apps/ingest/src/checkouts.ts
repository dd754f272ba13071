import { createHash } from 'node:crypto';
import {
  CHECKOUT_PROTOCOLS,
  CHECKOUT_STATES,
  type CheckoutProtocol,
  type CheckoutState,
  type EnrichedVisit,
} from '#libs/contracts';
import { wellFormedText, type Checkout } from '#libs/visit-store';

/** Where a body may have its checkout: in itself, as REST and MCP's structuredContent have it, or one step further in. */
const WRAPPERS = ['structuredContent', 'checkout'] as const;
/** Members by which an order names the checkout that it came from. It has an id and a status of its own. */
const OF_ORDERS = ['checkout_id', 'checkout_session_id'] as const;
const CURRENCY = /^[a-z]{3}$/i;
/** Minor units: ten billion of a currency with cents. What is more is a mistake, and would drown everything else. */
const MAX_TOTAL = 1e12;
/** Items of `totals` that are looked at: a protocol has fewer than ten kinds. */
const MAX_TOTALS = 100;
const ID_LENGTH = 1_000;

/**
 * Returns the checkouts that a visit reports, of each protocol at most one. Bodies are what a site sends: whatever is not
 * as the protocols have it is passed over.
 */
export function checkoutsOf({ project_id: projectId, visit }: EnrichedVisit): Checkout[] {
  return CHECKOUT_PROTOCOLS.flatMap((protocol): Checkout[] => {
    const found = sessionIn(visit[`${protocol}_response_body`]);
    if (found === null) return [];
    const { id, status, currency, totals } = found;
    return [
      {
        digest: digestOf(projectId.toLowerCase(), protocol, wellFormedText(id)),
        protocol,
        state: stateOf(status),
        currency: typeof currency === 'string' && CURRENCY.test(currency) ? currency.toUpperCase() : null,
        total: totalOf(totals),
      },
    ];
  });
}

type Body = Record<string, unknown>;
type Session = Body & { id: string; status: string };

function sessionIn(body: unknown): Session | null {
  if (!isObject(body)) return null;
  const wrapped = WRAPPERS.map((name) => body[name]).filter(isObject);
  const nested = wrapped.map((inner) => inner['checkout']);
  return [body, ...wrapped, ...nested].find(isSession) ?? null;
}

const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isSession = (value: unknown): value is Session =>
  isObject(value) &&
  typeof value['id'] === 'string' &&
  value['id'] !== '' &&
  typeof value['status'] === 'string' &&
  OF_ORDERS.every((name) => value[name] == null);

function stateOf(status: string): CheckoutState {
  // As people spell it on the other side of the Atlantic.
  const spelled = status === 'cancelled' ? 'canceled' : status;
  return CHECKOUT_STATES.find((state) => state === spelled) ?? 'other';
}

function totalOf(totals: unknown): number | null {
  if (!Array.isArray(totals)) return null;
  const item: unknown = totals.slice(0, MAX_TOTALS).find((each) => isObject(each) && each['type'] === 'total');
  const amount = isObject(item) ? item['amount'] : null;
  return Number.isInteger(amount) && (amount as number) >= 0 && (amount as number) <= MAX_TOTAL
    ? (amount as number)
    : null;
}

function digestOf(projectId: string, protocol: CheckoutProtocol, id: string): string {
  const digest = createHash('sha256')
    .update(`${projectId} ${protocol} ${id.slice(0, ID_LENGTH)}`)
    .digest('hex');
  return digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
