import { describeRule, describeVisitors, sumByMode } from './rule-text.js';

it.each([
  [{}, 'All known agents'],
  [{ visitors: { results: ['verification_failed' as const] } }, 'All known agents if verification fails'],
  [
    { visitors: { agent_tokens: ['GPTBot'], operators: ['Anthropic'], purposes: ['training' as const] } },
    'GPTBot, Agents of Anthropic, Training agents',
  ],
  [{ visitors: { agent_tokens: ['A', 'B', 'C', 'D'] } }, 'A, B, C and 1 more'],
])('describes visitors: %j', (rule, expected) => expect(describeVisitors(rule)).toBe(expected));

it.each([
  [{}, 'All known agents: block'],
  [{ visitors: { networks: ['203.0.113.0/24'] } }, 'Visitors from 203.0.113.0/24: block'],
  [
    { visitors: { agent_tokens: ['GPTBot'] }, requests: { methods: ['GET', 'HEAD'], paths: ['/docs/'] } },
    'GPTBot with GET or HEAD on /docs/: block',
  ],
])('describes rules: %j', (rule, expected) =>
  expect(describeRule({ ...rule, action: { kind: 'refuse' } })).toBe(expected),
);

it('sums decisions by mode', () => {
  const count = (rule_id: string, mode: 'live' | 'dry_run', outcome: 'allowed' | 'refused', decisions: number) => ({
    rule_id,
    mode,
    outcome,
    decisions,
  });
  const counts = [
    count('a', 'live', 'allowed', 1),
    count('b', 'live', 'refused', 2),
    count('c', 'live', 'refused', 4),
    count('a', 'dry_run', 'refused', 8),
  ];
  const none = { allowed: 0, slowed: 0, redirected: 0, charged: 0, refused: 0 };
  expect(sumByMode(counts, ['a', 'b'])).toEqual([
    { mode: 'live', checked: 3, outcomes: { ...none, allowed: 1, refused: 2 } },
    { mode: 'dry_run', checked: 8, outcomes: { ...none, refused: 8 } },
  ]);
  expect(sumByMode(counts, ['d'])).toEqual([]);
});
