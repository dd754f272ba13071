import { paymentsReport } from './payments.report.js';

const sums = [{ currency: 'USD', amount: '0.02', visits: 2 }];
const total = { asked: 3, walked_away: 2, offered: 0, paid: 1, licensed: 0, failed: 0, unasked: { paid: 0 } };
const agent = {
  ...total,
  agent_id: 'a',
  agent_token: 'GPTBot',
  is_spoofed: false,
  is_user_triggered: false,
  paid_amounts: [{ currency: 'USD', amount: '0.01', visits: 1 }],
  paid_without_amount: 0,
  unpaid_amounts: [...sums, { currency: 'USDC', amount: '0.5', visits: 1 }],
  unpaid_without_amount: 0,
  returns: [
    { address_visits: 2, network_visits: 9 },
    { address_visits: 5, network_visits: 5 },
  ],
};
const range = { from: '2026-11-20T00:00:00.000Z', counted_from: '2026-11-20T00:00:00.000Z' };

it('lists amounts by currency and visits under other identities', () => {
  const { rows, summary } = paymentsReport.read({ ...range, total, agents: [agent] } as never);
  expect(JSON.stringify(rows)).toContain('0.02 USD, 0.5 USDC');
  expect(JSON.stringify(rows)).toContain('7');
  expect(summary).toBe('Asked to pay in 3 visits, paid in 1 visit.');
});

it('shows since when visits are counted if there are too many', () => {
  const { summary } = paymentsReport.read({
    ...range,
    counted_from: '2026-11-20T09:00:00.000Z',
    total,
    agents: [],
  } as never);
  expect(summary).toContain('Only visits since 2026-11-20T09:00:00.000Z are counted.');
});
