import { findBusySpan, sum, type BusySpan } from '../../charts/busy-span.js';
import type { LoadAmounts } from './measures.js';

/** Minimum share of the load that a busy time has. */
const BUSY_SHARE = 1 / 3;
/** Minimum factor by which a busy time stands out from the other items. */
const MIN_BUSY_FACTOR = 3;
/** Minimum factor by which a property of the visits explains a busy time. */
const MIN_REASON_FACTOR = 1.5;

interface BusyTime {
  span: BusySpan;
  amount: number;
  /** Share of the total. */
  share: number;
  /** Cause such as "slow responses". Null if nothing explains it. */
  reason: string | null;
}

/**
 * Finds a short time that has much of the load, or else a single item that stands out, and a likely reason.
 *
 * @param isDaily True if each item is a day or longer. Shorter items differ too much to stand out.
 */
export function findBusyTime(
  items: readonly LoadAmounts[],
  value: (load: LoadAmounts) => number | null,
  isDaily: boolean,
): BusyTime | null {
  const values = items.map((item) => value(item) ?? 0);
  const span = findBusySpan(values, BUSY_SHARE) ?? (isDaily ? findPeak(values) : null);
  if (span === null || items.length < 2) return null;
  const isBusy = (_: unknown, index: number): boolean => index >= span.first && index <= span.last;
  const busy = items.filter(isBusy);
  const others = items.filter((item, index) => !isBusy(item, index));
  const [amount, total] = [sum(values.filter(isBusy)), sum(values)];
  if (amount / busy.length < (MIN_BUSY_FACTOR * (total - amount)) / others.length) return null;
  return { span, amount, share: amount / total, reason: findReason(sumUp(busy), sumUp(others)) };
}

function findPeak(values: readonly number[]): BusySpan {
  const index = values.indexOf(Math.max(...values));
  return { first: index, last: index };
}

const sumUp = (items: readonly LoadAmounts[]) => {
  const requests = sum(items.map((item) => item.requests));
  const perRequest = (amount: (item: LoadAmounts) => number | null): number =>
    sum(items.map((item) => amount(item) ?? 0)) / requests;
  return {
    requests: requests / items.length,
    time: perRequest(({ server_time_ms: time }) => time),
    bytes: perRequest(({ bytes }) => bytes),
  };
};

type Averages = ReturnType<typeof sumUp>;

const REASONS: Record<keyof Averages, string> = {
  time: 'slow responses',
  bytes: 'large responses',
  requests: 'a rush of requests',
};

function findReason(busy: Averages, others: Averages): string | null {
  const factors = (Object.keys(REASONS) as (keyof Averages)[])
    .map((key) => ({ reason: REASONS[key], factor: busy[key] / others[key] }))
    .filter(({ factor }) => factor >= MIN_REASON_FACTOR)
    .toSorted((one, other) => other.factor - one.factor);
  return factors[0]?.reason ?? null;
}
