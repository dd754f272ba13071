import type { Project } from '../api/client.js';
import type { PaymentsReport } from '../api/payments.js';
import { formatPercent } from '../format/change.js';
import { formatCount } from '../format/count.js';
import { Change } from '../range/change.js';
import { Columns } from '../ui/columns.js';
import { Figure } from '../ui/figure.js';
import { countPending, countReactions, formatSums } from './payment-counts.js';

type Counts = PaymentsReport['total'];

interface PaymentFiguresProps {
  project: Project;
  report: PaymentsReport;
  /** Totals of the comparison range. Undefined until they've loaded. */
  previous: Counts | undefined;
  /** Name of the comparison range, or null for no comparison. */
  before: string | null;
}

/** Requests to pay, by reaction. */
export function PaymentFigures({ project, report: { total }, previous, before }: PaymentFiguresProps) {
  const describeShare = (count: (counts: Counts) => number, what: string): string =>
    [total.asked > 0 && formatPercent(count(total) / total.asked), what].filter(Boolean).join(' · ');
  const countPaid = (counts: Counts) => countReactions(counts, 'paid');
  const countDeclined = (counts: Counts) => countReactions(counts, 'failed');
  const countWalkedAway = (counts: Counts) => counts.walked_away;
  const listPrice = project.list_prices.length > 0 ? 'your list price' : 'the price asked';
  const unpaid = formatSums(total.unpaid_amounts, total.unpaid_without_amount);
  const figures: readonly [label: string, count: (counts: Counts) => number, what: string][] = [
    ['Asked to pay', ({ asked }) => asked, describeOthers(total)],
    ['Paid', countPaid, describeShare(countPaid, formatSums(total.paid_amounts, total.paid_without_amount))],
    ['Declined', countDeclined, describeShare(countDeclined, 'Payment not accepted')],
    ['Walked away', countWalkedAway, describeShare(countWalkedAway, unpaid && `${unpaid} at ${listPrice}`)],
  ];
  return (
    <Columns cols={{ base: 2, md: 4 }} gap="sm">
      {figures.map(([label, count, what]) => (
        <Figure key={label} label={label} what={what} value={formatCount(count(total))}>
          {previous !== undefined && (
            <Change current={count(total)} previous={count(previous)} before={before} isNamed />
          )}
        </Figure>
      ))}
    </Columns>
  );
}

/** Describes the requests to pay that aren't in any other figure. */
function describeOthers(total: Counts): string {
  const pending = countPending(total);
  const other = pending + countReactions(total, 'licensed') + countReactions(total, 'offered');
  if (other === 0) return 'By your site or CDN';
  return pending === other ? `${formatCount(pending)} pending` : `${formatCount(other)} licensed, offered or pending`;
}
