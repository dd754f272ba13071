import { queryOptions } from '@tanstack/react-query';
import { client, data } from './client.js';
import { REFRESH_OPTIONS, type Range } from './statistics.js';

export type { PaymentAgent, PaymentsReport, PaymentSum } from '#libs/contracts';

export const paymentsQuery = (id: string, { from, to }: Range) =>
  queryOptions({
    queryKey: ['projects', id, 'payments', from, to],
    queryFn: () => data(client.GET('/api/projects/{id}/payments', { params: { path: { id }, query: { from, to } } })),
    ...REFRESH_OPTIONS,
  });
