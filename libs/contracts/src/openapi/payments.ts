import { MAX_PAYMENT_AGENTS, MAX_PAYMENT_VISITS, PaymentsReportSchema } from '../payment.schema.js';
import { operation } from './operation.js';
import { PROJECT, RANGE } from './parameters.js';
import { UNTIMED_FILTERS } from './timeline-filters.js';

const { agent, not_agent, type, not_type, operator, not_operator, path, not_path } = UNTIMED_FILTERS;

export const getPayments = operation({
  method: 'get',
  path: '/api/projects/{id}/payments',
  id: 'getPayments',
  access: 'viewer',
  tag: 'Tools & commerce',
  summary: 'Get payments for crawling: who was asked to pay, who paid, and who walked away',
  description:
    "Recognizes Cloudflare's pay per crawl, x402 versions 1 and 2, the HTTP authentication schemes Payment and License " +
    `(RSL), redirects to toll hosts, and status 402. Reads at most ${MAX_PAYMENT_VISITS.toLocaleString('en')} stored ` +
    `visits with payments, newest first, and returns up to ${MAX_PAYMENT_AGENTS} agents.`,
  params: { id: PROJECT },
  query: { ...RANGE, agent, not_agent, type, not_type, operator, not_operator, path, not_path },
  answer: PaymentsReportSchema,
  problems: [404, 422, 504],
});

export const PAYMENT_OPERATIONS = [getPayments];
