import type { PolicyForecast } from '../../api/policy-forecast.js';
import type { PolicyRule } from '../../api/policy.js';
import { recommend } from './recommendations.js';

type Forecast = PolicyForecast['rules'][number];
type Result = Forecast['agents'][number]['result'];

const rule = (id: string, parts: Partial<PolicyRule> = {}): PolicyRule => ({
  id,
  name: id,
  mode: 'dry_run',
  action: { kind: 'refuse' },
  ...parts,
});
const forecast = (id: string, results: Partial<Record<Result, number>>, referralsAtRisk = 0): Forecast => ({
  rule_id: id,
  outcomes: {
    allowed: 0,
    slowed: 0,
    redirected: 0,
    charged: 0,
    refused: Object.values(results).reduce((sum, visits) => sum + visits, 0),
  },
  bytes: 0,
  milliseconds: 0,
  referrals_at_risk: referralsAtRisk,
  exempt: 0,
  recorded: null,
  since: null,
  people: 0,
  networks: [],
  agents: Object.entries(results).map(([result, visits]) => ({ agent_token: 'X', result: result as Result, visits })),
  examples: [],
});

it.each([
  [{ verification_failed: 3 }, 0, {}, 'go live', 'all by impostors. No verified agent is affected.'],
  [{ verified: 3 }, 0, {}, 'go live', 'all by verified agents whose companies sent you nobody.'],
  [{ verified: 2, verification_failed: 1 }, 7, {}, 'keep watching', '2 by verified agents. The companies behind them'],
  [{ unknown_agent: 3 }, 0, {}, 'keep watching', 'all by unknown visitors. Check first that they aren’t people.'],
  [{ not_verifiable: 2, verification_failed: 1 }, 0, {}, 'keep watching', '2 by agents that can’t be verified'],
  [
    { not_verifiable: 2, verification_failed: 1 },
    0,
    { visitors: { networks: ['203.0.113.0/24'] } },
    'go live',
    '1 by impostors and the others by agents that can’t be verified.',
  ],
])('recommends what to do with a rule that affects %j', (results, referrals, parts, action, reason) => {
  const [one] = recommend([rule('a', parts)], { rules: [forecast('a', results, referrals)] });
  expect(one).toMatchObject({ action, reason: expect.stringContaining(reason) });
  expect(one!.reason).toMatch(/^3 requests would have been blocked, /);
});

it('lists rules to put live first, and only rules in dry run', () => {
  const rules = [rule('unused'), rule('live', { mode: 'live' }), rule('impostors')];
  expect(recommend(rules, { rules: [forecast('impostors', { verification_failed: 3 })] })).toMatchObject([
    { rule: { id: 'impostors' }, action: 'go live' },
    { rule: { id: 'unused' }, action: 'keep watching', reason: 'It would have affected no request so far.' },
  ]);
});
