import type { PolicyRule } from '#libs/contracts';
import { PolicyReplay, type ReplayedVisit } from './policy-replay.js';

const VISIT: ReplayedVisit = {
  id: 'visit',
  at: 0,
  token: 'GPTBot',
  type: 'AI Data Scraper',
  operator: 'OpenAI',
  result: 'verified',
  isLikelyAutomated: false,
  isPossiblePerson: false,
  hasPayment: false,
  method: 'GET',
  host: null,
  path: '/',
  address: null,
  bytes: 0,
  milliseconds: 0,
  referredBy: null,
};
const DRY: PolicyRule = { id: 'dry', name: 'Dry', mode: 'dry_run', action: { kind: 'refuse' } };
const LIVE: PolicyRule = {
  id: 'live',
  name: 'Live',
  mode: 'live',
  action: { kind: 'slow_down', requests_per_minute: 1 },
};

function replay(...visits: Partial<ReplayedVisit>[]) {
  const policy = new PolicyReplay([DRY, LIVE]);
  for (const visit of visits) policy.add({ ...VISIT, ...visit });
  return policy.summarize();
}

it('replays rules in dry run as if they were live, and counts the live rule behind them', () => {
  const { rules, agents } = replay({}, {}, {});
  expect(rules).toMatchObject([
    { rule_id: 'dry', outcomes: { refused: 3 } },
    { rule_id: 'live', outcomes: { allowed: 1, slowed: 2 } },
  ]);
  expect(agents).toMatchObject([{ agent_token: 'GPTBot', outcomes: { refused: 3, slowed: 0 } }]);
});

it('splits affected visits by agent and result, and counts exempt ones', () => {
  const { rules } = replay({ result: 'verification_failed' }, {}, {}, { path: '/robots.txt' });
  expect(rules[0]).toMatchObject({
    outcomes: { refused: 3 },
    exempt: 1,
    agents: [
      { agent_token: 'GPTBot', result: 'verified', visits: 2 },
      { agent_token: 'GPTBot', result: 'verification_failed', visits: 1 },
    ],
  });
});

it('lists agents that no rule affects after the others', () => {
  const policy = new PolicyReplay([{ ...LIVE, visitors: { agent_tokens: ['GPTBot'] }, action: { kind: 'refuse' } }]);
  policy.add({ ...VISIT, token: 'CCBot' });
  policy.add(VISIT);
  expect(policy.summarize().agents).toMatchObject([
    { agent_token: 'GPTBot', outcomes: { refused: 1 } },
    { agent_token: 'CCBot', outcomes: { allowed: 1 } },
  ]);
});
