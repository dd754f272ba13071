import type { PaymentsReport } from '../api/payments.js';
import type { ChartSeries } from '../charts/chart.js';
import { countPendingRequests } from './payment-counts.js';

/** Chart series for the reactions to requests to pay. */
export const PAYMENT_SERIES: readonly ChartSeries[] = [
  { key: 'paid', label: 'Paid', color: 'var(--bar-verified)' },
  { key: 'licensed', label: 'Licensed', color: 'var(--kind-9)' },
  { key: 'offered', label: 'Offered to pay', color: 'var(--kind-2)' },
  { key: 'failed', label: 'Declined', color: 'var(--bar-failed)' },
  { key: 'walked_away', label: 'Walked away', color: 'var(--bar-open)' },
  { key: 'pending', label: 'Pending', color: 'var(--kind-other)' },
];

/** Returns the reactions over time. */
export const toSeriesItems = ({ series }: Pick<PaymentsReport, 'series'>) =>
  series.map((item) => {
    const { time, walked_away, paid, licensed, offered, failed } = item;
    const values: Record<string, number> = {
      paid,
      licensed,
      offered,
      failed,
      walked_away,
      pending: countPendingRequests(item),
    };
    return { time, values };
  });
