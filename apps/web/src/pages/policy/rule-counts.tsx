import { Text } from '@mantine/core';
import type { RuleCount } from '../../api/policy.js';
import { formatCount } from '../../format/count.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { MODE_LABELS, OUTCOME_LABELS, OUTCOMES, sumByMode, type ModeCounts } from './rule-text.js';

const COLUMNS: readonly TableColumn<ModeCounts>[] = [
  { key: 'mode', label: 'Mode', isHead: true, cell: ({ mode }) => MODE_LABELS[mode] },
  { key: 'checked', label: 'Checked', cell: ({ checked }) => formatCount(checked) },
  ...OUTCOMES.map((outcome) => ({
    key: outcome,
    label: OUTCOME_LABELS[outcome],
    cell: ({ outcomes }: ModeCounts) => formatCount(outcomes[outcome]),
  })),
];

interface RuleCountsProps {
  name: string;
  /** IDs of a rule and its exceptions. */
  ruleIds: readonly string[];
  counts: readonly RuleCount[];
}

/** Requests that a rule decided on in the last 30 days, by mode and outcome. */
export function RuleCounts({ name, ruleIds, counts }: RuleCountsProps) {
  const rows = sumByMode(counts, ruleIds);
  if (rows.length === 0) {
    return (
      <Text size="sm" c="dimmed" mt={4}>
        No requests in the last 30 days.
      </Text>
    );
  }
  return (
    <DataTable
      label={`Requests in the last 30 days: ${name}`}
      columns={COLUMNS}
      rows={rows}
      rowKey={({ mode }) => mode}
      phone="scroll"
    />
  );
}
