import type { PaymentAgent, PaymentsReport, PaymentSum } from '../api/payments.js';
import { formatCount } from '../format/count.js';
import { formatDecimal } from '../format/money.js';

const LIST_FORMAT = new Intl.ListFormat('en-US');

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

/** Formats sums by currency, such as "$0.75 and 0.51 USDC". */
export const formatSums = (sums: readonly PaymentSum[], withoutAmount: number): string =>
  LIST_FORMAT.format([
    ...sums.map(({ currency, amount }) => formatDecimal(amount, currency)),
    ...(withoutAmount > 0 ? [`${formatCount(withoutAmount)} without a price`] : []),
  ]);

/** Returns true if an agent only walked away or had payments declined. */
export const hasNeverPaid = (agent: PaymentAgent): boolean =>
  !agent.is_spoofed &&
  agent.paid === 0 &&
  agent.licensed === 0 &&
  (agent.walked_away > 0 || countReactions(agent, 'failed') > 0);

/** Counts visits under other identities from the addresses of agents that walked away. */
export const countReturns = ({ returns }: Pick<PaymentAgent, 'returns'>): number =>
  returns.reduce((sum, { address_visits: visits }) => sum + visits, 0);

/**
 * Returns visits from the addresses of agents that walked away, or from other addresses in their networks. The
 * API's network visits include those from the same address.
 */
export function selectReturns<
  R extends Pick<PaymentAgent['returns'][number], 'address_visits' | 'network_visits' | 'visit_ids'>,
>(returns: readonly R[], place: 'address' | 'network'): (R & { visits: number })[] {
  return returns
    .map((row) => {
      const { address_visits: same, network_visits: all, visit_ids: ids } = row;
      // The IDs from the same address come first.
      return place === 'address'
        ? { ...row, visits: same, visit_ids: ids.slice(0, same) }
        : { ...row, visits: all - same, visit_ids: ids.slice(same) };
    })
    .filter(({ visits }) => visits > 0);
}

/** Lists the names of the first agents and the number of the others, such as "ClaudeBot, Bytespider, and 2 others". */
export function listNames(agents: readonly Identity[], max = 4): string {
  const names = agents.map(nameAgent);
  return LIST_FORMAT.format(
    names.length <= max ? names : [...names.slice(0, max - 1), `${names.length - max + 1} others`],
  );
}

export const formatTimes = (count: number): string => (count === 1 ? 'once' : `${formatCount(count)} times`);

/** Describes what agents did when asked to pay, as in "paid 3 times ($0.03) and walked away once". */
export function describeReactions(total: Counts): string {
  const paid = countReactions(total, 'paid');
  // The amounts include payments that the site didn't ask for.
  const amounts = paid === total.paid ? formatSums(total.paid_amounts, 0) : '';
  const declined = countReactions(total, 'failed');
  return LIST_FORMAT.format([
    paid === 0 ? 'never paid' : `paid ${formatTimes(paid)}${amounts && ` (${amounts})`}`,
    ...(declined > 0 ? [`had ${formatCount(declined)} ${declined === 1 ? 'payment' : 'payments'} declined`] : []),
    ...(total.walked_away > 0 ? [`walked away ${formatTimes(total.walked_away)}`] : []),
  ]);
}
