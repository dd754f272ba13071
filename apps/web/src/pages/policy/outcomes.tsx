import { Text } from '@mantine/core';
import type { PolicyRule } from '../../api/policy.js';
import type { PolicyOutcomes } from '../../api/policy-forecast.js';
import { formatCount } from '../../format/count.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';

type Version = PolicyOutcomes['versions'][number];
interface Row {
  version: Version;
  rule: Version['rules'][number];
}

interface OutcomesProps {
  rules: readonly PolicyRule[];
  versions: readonly Version[];
}

/** Earlier forecasts next to what happened. */
export function Outcomes({ rules, versions }: OutcomesProps) {
  const rows = versions.flatMap((version): Row[] => version.rules.map((rule) => ({ version, rule })));
  const findName = (id: string): string =>
    rules.find((rule) => rule.id === id || rule.exceptions?.some((exception) => exception.id === id))?.name ??
    'Deleted rule';
  const columns: readonly TableColumn<Row>[] = [
    { key: 'rule', label: 'Rule', isHead: true, value: ({ rule }) => findName(rule.rule_id) },
    {
      key: 'saved',
      label: 'Published',
      isTime: true,
      value: ({ version }) => version.saved_at,
      narrow: { before: 'published ' },
    },
    {
      key: 'forecast',
      label: 'Forecast per day',
      isNumber: true,
      value: ({ rule }) => Math.round(rule.forecast_per_day),
      narrow: { after: ' a day forecast' },
    },
    {
      key: 'outcome',
      label: 'Outcome per day',
      isNumber: true,
      value: ({ rule: { outcome_per_day: count } }) => count && Math.round(count),
      cell: ({ rule: { outcome_per_day: count } }) => (count === null ? 'Not yet' : formatCount(Math.round(count))),
      narrow: { before: 'outcome ' },
    },
    {
      key: 'error',
      label: 'Error',
      isNumber: true,
      value: ({ rule: { error } }) => error,
      cell: ({ rule: { error } }) => (error === null ? '–' : `${error > 0 ? '+' : ''}${Math.round(error * 100)}%`),
    },
    { key: 'hours', label: 'Hours compared', isNumber: true, value: ({ version }) => version.compared_hours },
  ];
  return (
    <>
      <DataTable
        label="Earlier forecasts"
        columns={columns}
        rows={rows}
        rowKey={({ version, rule }) => `${version.version_id} ${rule.rule_id}`}
        pageSize={10}
        phone={['rule error', 'forecast outcome', 'saved saved']}
      />
      <Text size="sm" c="dimmed" mt="sm">
        Requests that a rule slowed, redirected, asked to pay or blocked, or would have in dry run. An error has many
        possible causes, such as agents that react, other traffic or other changes to the site.
      </Text>
    </>
  );
}
