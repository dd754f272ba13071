import type { PolicyRule } from '#libs/contracts';
import { DEMO_PROJECT } from './demo-shop.js';
import { ASKED_AGENTS, PRICE } from './demo-payments.js';

/** Rules of the demo shop. Only the price of the archive is live. The others wait for a decision. */
export const DEMO_POLICY: readonly PolicyRule[] = [
  {
    id: '018f0000-0000-7000-8000-00000000d004',
    name: 'Paid archive',
    mode: 'live',
    visitors: { agent_tokens: ASKED_AGENTS.map(({ token }) => token) },
    requests: { paths: ['/archive/*'] },
    action: { kind: 'charge', price: PRICE, url: `${DEMO_PROJECT.site_address}/archive/prices` },
  },
  {
    id: '018f0000-0000-7000-8000-00000000d001',
    name: 'Impostors',
    mode: 'dry_run',
    visitors: { results: ['verification_failed'] },
    action: { kind: 'refuse' },
  },
  {
    id: '018f0000-0000-7000-8000-00000000d002',
    name: 'Training crawlers',
    mode: 'dry_run',
    visitors: { purposes: ['training'] },
    action: { kind: 'slow_down', requests_per_minute: 1 },
    exceptions: [
      {
        id: '018f0000-0000-7000-8000-00000000d003',
        visitors: { agent_tokens: ['Bytespider'] },
        action: { kind: 'refuse' },
      },
    ],
  },
];
