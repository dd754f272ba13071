import type { PolicyForecast } from '../api/policy-forecast.js';
import type { PolicyRule } from '../api/policy.js';
import {
  compareRecorded,
  describeAffected,
  describeBystanders,
  describeOthers,
  isolateRule,
  sumEffect,
} from './rule-effect.js';

type Forecast = PolicyForecast['rules'][number];

const RULE: PolicyRule = { id: 'rule', name: 'Rule', mode: 'dry_run', action: { kind: 'refuse' } };
const forecast = (id: string, { outcomes, ...parts }: Partial<Omit<Forecast, 'outcomes'>> & { outcomes: object }) => ({
  rule_id: id,
  bytes: 0,
  milliseconds: 0,
  referrals_at_risk: 0,
  exempt: 0,
  recorded: null,
  since: null,
  people: 0,
  networks: [],
  agents: [],
  examples: [],
  ...parts,
  outcomes: { allowed: 0, slowed: 0, redirected: 0, charged: 0, refused: 0, ...outcomes },
});
const sum = (...rules: Forecast[]) =>
  sumEffect({ rules }, { ...RULE, exceptions: [{ id: 'exception', action: { kind: 'allow' } }] });

it('sums the effects of a rule and its exceptions', () => {
  const effect = sum(
    forecast('rule', { outcomes: { refused: 3 }, exempt: 2, referrals_at_risk: 5 }),
    forecast('exception', { outcomes: { allowed: 4 } }),
    forecast('other', { outcomes: { refused: 9 } }),
  );
  expect(effect).toMatchObject({ acted: 3, matching: 9, exempt: 2, referralsAtRisk: 5 });
});

it.each([
  [{ refused: 530 }, 23, 'The other 23 asked for exempt files, such as robots.txt.'],
  [{ refused: 530 }, 1, 'The other one asked for exempt files, such as robots.txt.'],
  [{ slowed: 5, allowed: 40 }, 0, 'The other 40 would have been let through.'],
  [
    { slowed: 5, allowed: 1 },
    2,
    'The other one would have been let through, and 2 more asked for exempt files, such as robots.txt.',
  ],
  [{ refused: 5 }, 0, ''],
  [{ allowed: 5 }, 3, ''],
])('describes the requests that aren’t affected: %j', (outcomes, exempt, expected) => {
  expect(describeOthers(sum(forecast('rule', { outcomes, exempt })))).toBe(expected);
});

const agent = (result: Forecast['agents'][number]['result'], visits: number) => ({
  agent_token: result === 'unknown_agent' ? null : 'GPTBot',
  result,
  visits,
});

it.each([
  [[agent('verification_failed', 3)], 'All are from impostors. No verified agent is affected.'],
  [[agent('verified', 2), agent('unknown_agent', 1)], '2 are from verified agents and 1 from unknown visitors.'],
  [[agent('verified', 3)], 'All are from verified agents.'],
  // Not all agents are listed.
  [[agent('verification_failed', 2)], ''],
])('describes who is affected: %j', (agents, expected) => {
  expect(describeAffected(sum(forecast('rule', { outcomes: { refused: 3 }, agents })))).toBe(expected);
});

it('isolates a rule from the others', () => {
  const live: PolicyRule = { ...RULE, id: 'live', mode: 'live', exceptions: [{ id: 'x', action: { kind: 'refuse' } }] };
  const dry: PolicyRule = { ...RULE, id: 'dry' };
  const off: PolicyRule = { ...RULE, id: 'off', mode: 'off' };
  const modes = (rules: PolicyRule[]) => rules.map(({ id, mode, action: { kind } }) => `${id} ${mode} ${kind}`);
  expect(modes(isolateRule([live, dry, off, RULE, { ...RULE, id: 'later' }], RULE))).toEqual([
    'live live allow',
    'dry live allow',
    'rule live refuse',
  ]);
  expect(modes(isolateRule([dry, live], live))).toEqual(['live live refuse']);
});

it.each([
  [632, 632, null, {}, null],
  [null, 632, null, {}, null],
  [
    163,
    628,
    '2026-11-26T10:00:00Z',
    {},
    '163 when they arrived, 628 with current data. The rule has only existed since Nov 26.',
  ],
  [
    163,
    628,
    '2026-11-01T10:00:00Z',
    { visitors: { results: ['verification_failed' as const] } },
    '163 when they arrived, 628 with current data. Some visitors were only exposed later, for example by newer address lists.',
  ],
  [62, 65, null, {}, '62 when they arrived, 65 with current data. Your rules changed on Nov 27.'],
])('compares recorded requests with replayed ones: %j and %j', (recorded, acted, since, parts, expected) => {
  const decided = recorded === null ? null : { live: 0, dry_run: recorded };
  const comparison = { from: '2026-11-25T00:00:00Z', changedAt: '2026-11-27T00:00:00Z', timeZone: 'UTC' };
  expect(compareRecorded({ acted, recorded: decided, since }, { ...RULE, ...parts }, comparison)).toBe(expected);
});

it('tells decisions in dry run from live ones', () => {
  const recorded = { live: 47, dry_run: 270 };
  const comparison = { from: '2026-11-02T00:00:00Z', changedAt: null, timeZone: 'UTC' };
  expect(compareRecorded({ acted: 850, recorded, since: null }, RULE, comparison)).toBe(
    '317 when they arrived (270 of them in a dry run), 850 with current data.',
  );
});

it.each([
  ['verification_failed', 0, 'No verified agents or likely people are affected.'],
  ['verified', 2, 'Also affected: 3 requests by verified agents and 2 by likely people.'],
] as const)('states who else a rule affects: %s', (result, people, expected) => {
  const effect = sum(forecast('rule', { outcomes: { refused: 3 }, people, agents: [agent(result, 3)] }));
  expect(describeBystanders(effect)).toBe(expected);
});
