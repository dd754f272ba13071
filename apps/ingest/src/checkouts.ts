import { createHash } from 'node:crypto';
import {
  CHECKOUT_PROTOCOLS,
  CHECKOUT_STATES,
  type CheckoutProtocol,
  type CheckoutState,
  type EnrichedVisit,
} from '#libs/contracts';
import { wellFormedText, type Checkout } from '#libs/visit-store';

/** Fields that may wrap the checkout, up to two levels deep. In REST, the body itself is the checkout. */
const WRAPPER_FIELDS = ['structuredContent', 'checkout'] as const;
/** Fields that link an order to its checkout. Orders also have an ID and a status but aren't checkouts. */
const ORDER_FIELDS = ['checkout_id', 'checkout_session_id'] as const;
const CURRENCY = /^[a-z]{3}$/i;
/**
 * Maximum total in minor units, equal to 10 billion dollars. Anything larger is a mistake and would make all other
 * totals look tiny.
 */
const MAX_TOTAL_MINOR_UNITS = 1e12;
/** Maximum number of `totals` items to search. The protocols define fewer than ten types. */
const MAX_TOTALS_ITEMS = 100;
const MAX_ID_LENGTH = 1_000;

/**
 * Returns the checkouts that a visit reports, at most one per protocol. The bodies come from sites without
 * validation, so anything that doesn't follow the protocol is ignored.
 */
export function extractCheckouts({ project_id: projectId, visit }: EnrichedVisit): Checkout[] {
  return CHECKOUT_PROTOCOLS.flatMap((protocol): Checkout[] => {
    const session = findSession(visit[`${protocol}_response_body`]);
    if (session === null) return [];
    const { id, status, currency, totals } = session;
    return [
      {
        digest: computeDigest(projectId.toLowerCase(), protocol, wellFormedText(id)),
        protocol,
        state: toCheckoutState(status),
        currency: typeof currency === 'string' && CURRENCY.test(currency) ? currency.toUpperCase() : null,
        total: findTotal(totals),
      },
    ];
  });
}

type Body = Record<string, unknown>;
type Session = Body & { id: string; status: string };

function findSession(body: unknown): Session | null {
  if (!isObject(body)) return null;
  const wrapped = WRAPPER_FIELDS.map((name) => body[name]).filter(isObject);
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
  ORDER_FIELDS.every((name) => value[name] == null);

function toCheckoutState(status: string): CheckoutState {
  // Accepts the British spelling, too.
  const americanSpelling = status === 'cancelled' ? 'canceled' : status;
  return CHECKOUT_STATES.find((state) => state === americanSpelling) ?? 'other';
}

function findTotal(totals: unknown): number | null {
  if (!Array.isArray(totals)) return null;
  const item: unknown = totals
    .slice(0, MAX_TOTALS_ITEMS)
    .find((candidate) => isObject(candidate) && candidate['type'] === 'total');
  const amount = isObject(item) ? item['amount'] : null;
  return Number.isInteger(amount) && (amount as number) >= 0 && (amount as number) <= MAX_TOTAL_MINOR_UNITS
    ? (amount as number)
    : null;
}

function computeDigest(projectId: string, protocol: CheckoutProtocol, id: string): string {
  const digest = createHash('sha256')
    .update(`${projectId} ${protocol} ${id.slice(0, MAX_ID_LENGTH)}`)
    .digest('hex');
  return digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
