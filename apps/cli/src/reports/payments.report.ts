import { CRAWL_PURPOSES } from '#libs/agents/vocabulary';
import type { PaymentAgent, PaymentsReport, PaymentSum } from '#libs/contracts';
import { plural } from '../terminal-text.js';
import { buildRows, type Report } from './report.js';

const getName = ({ agent_id: id, agent_token: token, is_spoofed: isSpoofed }: PaymentAgent): string =>
  (token ?? id ?? 'Unknown visitors') + (isSpoofed ? ' (failed verification)' : '');

const formatSums = (sums: readonly PaymentSum[]): string =>
  sums.map(({ amount, currency }) => `${amount} ${currency}`).join(', ');

const sumVisits = (returns: PaymentAgent['returns']): number =>
  returns.reduce((sum, { address_visits: visits }) => sum + visits, 0);

export const paymentsReport: Report<'/api/projects/{id}/payments'> = {
  name: 'payments',
  description: 'agents that were asked to pay, paid or walked away',
  path: '/api/projects/{id}/payments',
  help: `
WALKED AWAY counts visits without an attempt to pay for the same URL within an hour.
UNPAID is the sum of their list prices. RETURNED counts visits under another identity
from the same address in that time. A price of an agent for AI ANSWERS charges for a
person's question. Currencies are never added up.`,
  read: ({ agents, total, from, counted_from: countedFrom }: PaymentsReport) => ({
    ...buildRows<PaymentAgent>(agents, [
      { heading: 'Agent', value: getName },
      { heading: CRAWL_PURPOSES.user.label, value: (row) => (row.is_user_triggered ? 'yes' : 'no') },
      { heading: 'Asked', value: (row) => row.asked },
      { heading: 'Paid', value: (row) => row.paid },
      { heading: 'Paid unasked', value: (row) => row.unasked.paid, isOnlyInCsv: true },
      { heading: 'Licensed', value: (row) => row.licensed, isOnlyInCsv: true },
      { heading: 'Offered', value: (row) => row.offered, isOnlyInCsv: true },
      { heading: 'Declined', value: (row) => row.failed },
      { heading: 'Walked away', value: (row) => row.walked_away },
      { heading: 'Amount paid', value: (row) => formatSums(row.paid_amounts) },
      { heading: 'Paid without amount', value: (row) => row.paid_without_amount, isOnlyInCsv: true },
      { heading: 'Unpaid', value: (row) => formatSums(row.unpaid_amounts) },
      { heading: 'Unpaid without price', value: (row) => row.unpaid_without_amount, isOnlyInCsv: true },
      { heading: 'Returned', value: (row) => sumVisits(row.returns) },
    ]),
    summary:
      `Asked to pay in ${plural(total.asked, 'visit')}, paid in ${plural(total.paid, 'visit')}.` +
      (countedFrom > from ? ` Only visits since ${countedFrom} are counted.` : ''),
    empty: 'No agents were asked to pay in this range.',
  }),
};
