import type { EnrichedVisit, PolicyRule } from '#libs/contracts';
import { PolicyReplay, toReplayedVisit, type ReplayedVisit } from './policy-replay.js';

const VISIT: ReplayedVisit = {
  id: 'visit',
  at: 0,
  token: 'GPTBot',
  type: 'AI Data Scraper',
  operator: 'OpenAI',
  result: 'verified',
  isLikelyAutomated: false,
  isPossiblePerson: false,
  isPaid: false,
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

const CHARGE: PolicyRule = { ...DRY, action: { kind: 'charge', price: 'USD 1', url: 'https://example.com/' } };

it.each([
  ['asked', {}, { 'crawler-price': 'USD 1' }, 'charged'],
  ['paid', { 'crawler-exact-price': 'USD 1' }, { 'crawler-charged': 'USD 1' }, 'allowed'],
  ['licensed', { authorization: 'License x' }, {}, 'allowed'],
  ['declined', { 'crawler-exact-price': 'USD 1' }, { 'crawler-error': 'PaymentFailed' }, 'charged'],
  ['offered', { 'crawler-exact-price': 'USD 1' }, {}, 'charged'],
])('charges visits unless the page was served after payment: %s', (_, request, response, outcome) => {
  const visit = toReplayedVisit({
    id: 'visit',
    occurred_at: '2026-11-21T08:00:00Z',
    client_address: null,
    identification: { result: 'verified', agent_token: 'GPTBot' },
    visit: {
      request_method: 'GET',
      request_path: '/',
      request_headers: request,
      response_headers: response,
      response_status_code: 200,
    },
  } as unknown as EnrichedVisit);
  expect(new PolicyReplay([CHARGE]).add(visit)).toBe(outcome);
});

it.each<[string, PolicyRule['action'], PolicyRule['action'], number, number]>([
  ['charge in front of refuse', CHARGE.action, { kind: 'refuse' }, 1, 1],
  ['refuse in front of charge', { kind: 'refuse' }, CHARGE.action, 1, 0],
  ['allow in front of refuse', { kind: 'allow' }, { kind: 'refuse' }, 0, 0],
])('derives the total of referrals from the outcome in dry run: %s', (_, dryRun, live, atRisk, askedToPay) => {
  const policy = new PolicyReplay([
    { ...DRY, action: dryRun },
    { ...LIVE, action: live },
  ]);
  policy.add({ ...VISIT, referredBy: 'OpenAI' });
  expect(policy.summarize().total).toMatchObject({ referrals_at_risk: atRisk, referrals_asked_to_pay: askedToPay });
});
