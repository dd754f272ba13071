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

function replay(countsLiveBehindDryRun: boolean) {
  const policy = new PolicyReplay([DRY, LIVE], countsLiveBehindDryRun);
  for (let index = 0; index < 3; index += 1) policy.add(VISIT);
  return policy.summarize();
}

it('replays rules in dry run as if they were live', () => {
  expect(replay(false).rules).toMatchObject([{ rule_id: 'dry', outcomes: { refused: 3 } }]);
});

it('also counts the live rule behind a rule in dry run, but each visit of an agent once', () => {
  const { rules, agents } = replay(true);
  expect(rules).toMatchObject([
    { rule_id: 'dry', outcomes: { refused: 3 } },
    { rule_id: 'live', outcomes: { allowed: 1, slowed: 2 } },
  ]);
  expect(agents).toMatchObject([{ agent_token: 'GPTBot', outcomes: { refused: 3, slowed: 0 } }]);
});
