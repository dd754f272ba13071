import { MAX_PAYMENT_VISITS, PAYMENT_WINDOW_MINUTES, type TimelineFilters } from '#libs/contracts';
import { readPayment, type Payment } from '#libs/payments';
import { WorkSlices } from '#libs/platform';
import {
  toIdentity,
  type PaymentVisitRow,
  type PaymentVisitsRepository,
  type Snapshot,
  type TimeRange,
} from '#libs/visit-store';

export const PAYMENT_WINDOW_MS = PAYMENT_WINDOW_MINUTES * 60_000;
const PAGE_SIZE = 2_500;

/** Payment with its visit. */
export interface PaymentEvent {
  /** Milliseconds since the epoch. */
  at: number;
  /** Time from which the event counts: when the site asked for the payment, or {@link at} if it didn't. */
  countedAt: number;
  agentId: string | null;
  isSpoofed: boolean;
  /** See {@link toIdentity}. */
  identity: string;
  address: string | null;
  status: number | null;
  payment: Payment;
  /** Whether the site asked for a payment, and no attempt for the same URL followed in the next hour. */
  isWalkedAway: boolean;
  /** Whether this attempt isn't the first one in the hour after the site asked for the same URL. */
  isUnasked: boolean;
}

interface PaymentsQuery {
  projectId: string;
  range: TimeRange;
  filters: Partial<TimelineFilters>;
  tollHosts: readonly string[];
  /** Milliseconds since the epoch. */
  now: number;
}

interface PaymentEvents {
  /** Payments in the range, newest first. */
  events: PaymentEvent[];
  /** Start of the time that was read. */
  countedFrom: number;
}

/**
 * Reads up to {@link MAX_PAYMENT_VISITS} visits, newest first. An attempt counts when the site asked for it, so this
 * also reads the hour before and the hour after the range.
 */
export async function readPaymentEvents(
  repository: PaymentVisitsRepository,
  snapshot: Snapshot,
  { projectId, range, filters, tollHosts, now }: PaymentsQuery,
): Promise<PaymentEvents> {
  const slices = new WorkSlices();
  const hosts = new Set(tollHosts);
  const attempts = new Map<string, PaymentEvent>();
  const events: PaymentEvent[] = [];
  let before: PaymentVisitRow | null = null;
  let isComplete = false;
  for (let read = 0; read < MAX_PAYMENT_VISITS && !isComplete; read += PAGE_SIZE) {
    const rows: PaymentVisitRow[] = await repository.read(snapshot, projectId, {
      from: range.from - PAYMENT_WINDOW_MS,
      to: range.to + PAYMENT_WINDOW_MS,
      filters,
      tollHosts,
      before,
      limit: PAGE_SIZE,
    });
    for (const row of rows) {
      const event = toEvent(row, hosts, { attempts, now });
      if (event !== null) events.push(event);
      if (slices.isSliceOver) await slices.yieldToEventLoop();
    }
    before = rows.at(-1) ?? null;
    isComplete = rows.length < PAGE_SIZE;
  }
  const countedFrom = isComplete ? range.from : Math.max(range.from, before!.occurred_at);
  return { events: events.filter(({ countedAt }) => countedAt >= range.from && countedAt < range.to), countedFrom };
}

interface LaterVisits {
  /** Earliest attempt that follows, by visitor and URL. */
  attempts: Map<string, PaymentEvent>;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Returns the payment of a visit, or null. Adds the visit to the attempts if it's one. */
function toEvent(
  row: PaymentVisitRow,
  tollHosts: ReadonlySet<string>,
  { attempts, now }: LaterVisits,
): PaymentEvent | null {
  const payment = readPayment(
    { status: row.status, requestHeaders: row.request_headers, responseHeaders: row.response_headers },
    tollHosts,
  );
  if (payment === null) return null;
  const { occurred_at: at, agent_id: agentId, client_address: address, status } = row;
  const isSpoofed = row.result === 'verification_failed';
  const identity = toIdentity(agentId, isSpoofed);
  // An agent can have many addresses. Unknown visitors have nothing else in common.
  const key = `${identity} ${agentId === null || isSpoofed ? address : ''} ${row.path_hash}`;
  const isUnasked = payment.outcome !== 'asked';
  const visit = { at, countedAt: at, agentId, isSpoofed, identity, address, status, payment };
  if (isUnasked) {
    const event = { ...visit, isWalkedAway: false, isUnasked };
    attempts.set(key, event);
    return event;
  }
  const attempt = attempts.get(key);
  if (attempt?.isUnasked === true && attempt.at - at <= PAYMENT_WINDOW_MS) {
    attempt.isUnasked = false;
    attempt.countedAt = at;
  }
  // Until the time for an attempt is over, the agent hasn't walked away.
  const isWalkedAway = Math.min(attempt?.at ?? Infinity, now) - at > PAYMENT_WINDOW_MS;
  return { ...visit, isWalkedAway, isUnasked };
}
