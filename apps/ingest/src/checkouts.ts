import { createHash } from 'node:crypto';
import {
  CHECKOUT_PROTOCOLS,
  CHECKOUT_STATES,
  type CheckoutProtocol,
  type CheckoutState,
  type EnrichedVisit,
} from '#libs/contracts';
import { wellFormedText, type Checkout } from '#libs/visit-store';

/** Members that may contain the checkout, up to two levels deep. In REST, the body itself is the checkout. */
const WRAPPERS = ['structuredContent', 'checkout'] as const;
/** Members of an order that refer to its checkout. Orders have an ID and a status, too, but aren't checkouts. */
const OF_ORDERS = ['checkout_id', 'checkout_session_id'] as const;
const CURRENCY = /^[a-z]{3}$/i;
/**
 * Maximum total in minor units: ten billion of a currency with cents. Anything larger is a mistake, and would dwarf all
 * other totals.
 */
const MAX_TOTAL = 1e12;
/** Items of `totals` to search. The protocols define fewer than ten types. */
const MAX_TOTALS = 100;
const ID_LENGTH = 1_000;

/**
 * Returns the checkouts that a visit reports, at most one per protocol. Bodies come from sites unvalidated, so anything
 * that doesn't follow the protocol is ignored.
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
  // British spelling.
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
