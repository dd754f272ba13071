import { queryOptions } from '@tanstack/react-query';
import { client, data } from './client.js';
import { REFRESH_OPTIONS, type Range } from './statistics.js';

export type { PaymentAgent, PaymentsReport, PaymentSum } from '#libs/contracts';

/** Filters of the visits whose payments are reported. */
export type PaymentFilters = Partial<Record<'agent' | 'operator' | 'type' | 'path', string[]>>;

export const paymentsQuery = (id: string, { from, to }: Range, filters: PaymentFilters = {}) =>
  queryOptions({
    queryKey: ['projects', id, 'payments', from, to, filters],
    queryFn: () =>
      data(
        client.GET('/api/projects/{id}/payments', {
          params: { path: { id }, query: { from, to, ...filters } as never },
        }),
      ),
    ...REFRESH_OPTIONS,
  });
