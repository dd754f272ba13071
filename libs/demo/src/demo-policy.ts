import type { PolicyRule } from '#libs/contracts';
import { DEMO_PROJECT } from './demo-shop.js';
import { ASKED_AGENTS, PRICE } from './demo-payments.js';
import { STORY } from './demo-story.js';

const HOUR_MS = 3_600_000;

/** Rules of the demo shop. Some are live, and the others wait for a decision. */
const DEMO_POLICY: readonly PolicyRule[] = [
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
  {
    id: '018f0000-0000-7000-8000-00000000d005',
    name: 'Unwanted crawlers',
    mode: 'live',
    visitors: { agent_tokens: [...STORY.disallowed.tokens] },
    action: { kind: 'refuse' },
  },
  {
    id: '018f0000-0000-7000-8000-00000000d006',
    name: 'Perplexity',
    mode: 'live',
    visitors: { agent_tokens: [STORY.riser.token] },
    action: { kind: 'slow_down', requests_per_minute: 1 },
  },
  {
    id: '018f0000-0000-7000-8000-00000000d007',
    name: 'Bots without a name',
    mode: 'dry_run',
    visitors: { likely_automated: true },
    action: { kind: 'refuse' },
  },
];

/** IDs of the rules that were first tried in dry run. */
const TRIED_FIRST = new Set(['018f0000-0000-7000-8000-00000000d005', '018f0000-0000-7000-8000-00000000d006']);

/** Version of the demo shop's policy. `from` is the time it was published, in milliseconds since the epoch. */
interface DemoPolicyVersion {
  from: number;
  rules: readonly PolicyRule[];
}

/**
 * Returns the versions of the policy, oldest first.
 *
 * @param end End of the story, in milliseconds since the epoch.
 */
export const demoPolicyVersions = (end: number): [DemoPolicyVersion, DemoPolicyVersion] => [
  {
    from: end - STORY.policy.triedSince * HOUR_MS,
    rules: DEMO_POLICY.map((rule) => (TRIED_FIRST.has(rule.id) ? { ...rule, mode: 'dry_run' } : rule)),
  },
  { from: end - STORY.policy.liveSince * HOUR_MS, rules: DEMO_POLICY },
];
