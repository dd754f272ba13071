import { describeCounts, describeRule, describeVisitors } from './rule-text.js';

it.each([
  [{}, 'All known agents'],
  [{ visitors: { results: ['verification_failed' as const] } }, 'All known agents if verification fails'],
  [
    { visitors: { agent_tokens: ['GPTBot'], operators: ['Anthropic'], purposes: ['training' as const] } },
    'GPTBot, Agents of Anthropic, Agents for AI training',
  ],
  [{ visitors: { agent_tokens: ['A', 'B', 'C', 'D'] } }, 'A, B, C, and 1 more'],
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

it('describes decisions by mode', () => {
  const count = (rule_id: string, mode: 'live' | 'dry_run', outcome: 'allowed' | 'refused', decisions: number) => ({
    rule_id,
    mode,
    outcome,
    decisions,
  });
  const counts = [
    count('a', 'live', 'allowed', 1),
    count('b', 'live', 'refused', 20),
    count('c', 'live', 'refused', 21),
    count('b', 'dry_run', 'refused', 253),
  ];
  expect(describeCounts(counts, ['b', 'c'])).toBe('41 blocked (253 more while in dry run)');
  expect(describeCounts(counts, ['a', 'b'])).toBe('20 blocked, 1 allowed (253 blocked while in dry run)');
  expect(describeCounts(counts.slice(3), ['b'])).toBe('Dry run: 253 would have been blocked');
  expect(describeCounts(counts, ['d'])).toBe('');
});
