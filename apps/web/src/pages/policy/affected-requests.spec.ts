import type { RuleCount } from '../../api/policy.js';
import { sumAffected } from './affected-requests.js';

it('sums affected requests over all rules, without those that were allowed', () => {
  const count = (mode: RuleCount['mode'], outcome: RuleCount['outcome'], decisions: number): RuleCount => ({
    rule_id: 'rule',
    mode,
    outcome,
    decisions,
  });
  const parts = sumAffected([
    count('dry_run', 'slowed', 5),
    count('live', 'refused', 3),
    count('live', 'allowed', 90),
    count('live', 'refused', 4),
  ]);
  expect(parts.map(({ label, requests }) => [label, requests])).toEqual([
    ['Blocked', 7],
    ['Slow down (dry run)', 5],
  ]);
});
