import { Text } from '@mantine/core';
import type { RuleCount } from '../../api/policy.js';
import { formatCount } from '../../format/count.js';
import { OUTCOME_LABELS, OUTCOMES, sumByMode } from './rule-text.js';

interface RuleCountsProps {
  /** IDs of a rule and its exceptions. */
  ruleIds: readonly string[];
  counts: readonly RuleCount[];
}

/** Requests that a rule decided on in the last 30 days, by mode and outcome. */
export function RuleCounts({ ruleIds, counts }: RuleCountsProps) {
  const sums = sumByMode(counts, ruleIds);
  const texts = sums.map(({ mode, checked, outcomes }) => {
    const parts = OUTCOMES.filter((outcome) => outcomes[outcome] > 0).map(
      (outcome) => `${formatCount(outcomes[outcome])} ${OUTCOME_LABELS[outcome].toLowerCase()}`,
    );
    return `${formatCount(checked)} checked${mode === 'dry_run' ? ' in dry run' : ''}: ${parts.join(', ')}`;
  });
  return (
    <Text size="xs" c="dimmed" mt={2}>
      {texts.join(' · ') || 'No requests in the last 30 days'}
    </Text>
  );
}
