import type { PaymentAgent, PaymentsReport, PaymentSum } from '../api/payments.js';
import { formatCount } from '../format/count.js';
import { formatDecimal, formatPrice } from '../format/money.js';

const list = new Intl.ListFormat('en-US');

type Counts = PaymentsReport['total'];
type Reaction = keyof Counts['unasked'];

/** Returns the number of requests to pay with this reaction. */
export const countReactions = (counts: Counts, reaction: Reaction): number =>
  counts[reaction] - counts.unasked[reaction];

/** Returns the number of requests to pay without a reaction so far, or that were repeated before the reaction. */
export const countPending = (counts: Counts): number =>
  counts.asked -
  counts.walked_away -
  (['paid', 'licensed', 'offered', 'failed'] as const).reduce((sum, one) => sum + countReactions(counts, one), 0);

/** Returns the number of requests in a series item whose reaction is pending. */
export const countPendingRequests = (item: PaymentsReport['series'][number]): number =>
  item.asked - item.walked_away - item.paid - item.licensed - item.offered - item.failed;

export type Identity = Pick<PaymentAgent, 'agent_id' | 'agent_token' | 'is_spoofed'>;

export const nameAgent = ({ agent_id: id, agent_token: token, is_spoofed: isSpoofed }: Identity): string =>
  (token ?? (id === null ? 'Unknown visitors' : 'No longer in the catalog')) +
  (isSpoofed ? ' (failed verification)' : '');

/** Stablecoins with the currencies that they're worth. */
const STABLECOINS: Readonly<Record<string, string>> = { USDC: 'USD', EURC: 'EUR' };

/** Formats sums by currency. Stablecoins are part of the sum in their currency, as in "$1.26, including 0.51 USDC". */
export function formatSums(sums: readonly PaymentSum[], withoutAmount: number): string {
  const findCoin = (code: string) => sums.find(({ currency }) => STABLECOINS[currency] === code);
  const isAdded = ({ currency }: PaymentSum): boolean => sums.some((one) => one.currency === STABLECOINS[currency]);
  return [
    ...sums
      .filter((sum) => !isAdded(sum))
      .map(({ currency, amount }) => {
        const coin = findCoin(currency);
        if (coin === undefined) return formatDecimal(amount, currency);
        const total = formatPrice(Number(amount) + Number(coin.amount), currency);
        return `${total}, including ${formatDecimal(coin.amount, coin.currency)}`;
      }),
    ...(withoutAmount > 0 ? [`${formatCount(withoutAmount)} without a price`] : []),
  ].join(', ');
}

/** Counts visits under other identities from the addresses and networks of agents that walked away. */
export const countReturns = ({ returns }: Pick<PaymentAgent, 'returns'>): number =>
  returns.reduce((sum, { network_visits: visits }) => sum + visits, 0);

export const formatTimes = (count: number): string => (count === 1 ? 'once' : `${formatCount(count)} times`);

/** Describes what agents did when asked to pay, as in "paid 3 times ($0.03) and walked away once". */
export function describeReactions(total: Counts): string {
  const paid = countReactions(total, 'paid');
  // The amounts include payments that the site didn't ask for.
  const amounts = paid === total.paid ? formatSums(total.paid_amounts, 0) : '';
  const declined = countReactions(total, 'failed');
  return list.format([
    paid === 0 ? 'never paid' : `paid ${formatTimes(paid)}${amounts && ` (${amounts})`}`,
    ...(declined > 0 ? [`had ${formatCount(declined)} ${declined === 1 ? 'payment' : 'payments'} declined`] : []),
    ...(total.walked_away > 0 ? [`walked away ${formatTimes(total.walked_away)}`] : []),
  ]);
}
