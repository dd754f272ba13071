import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { PolicyOutcomes } from '#libs/contracts';
import { client, data } from '../../api/client.js';
import type { PolicyRule } from '../../api/policy.js';
import { formatCount } from '../../format/count.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { RelativeTime } from '../../ui/relative-time.js';

type Version = PolicyOutcomes['versions'][number];
interface Row {
  version: Version;
  rule: Version['rules'][number];
}

interface OutcomesProps {
  projectId: string;
  rules: readonly PolicyRule[];
}

/** Earlier forecasts next to what happened. */
export function Outcomes({ projectId, rules }: OutcomesProps) {
  const { data: outcomes } = useQuery({
    queryKey: ['projects', projectId, 'policy outcomes'],
    queryFn: () => data(client.GET('/api/projects/{id}/policy/outcomes', { params: { path: { id: projectId } } })),
  });
  const rows = (outcomes?.versions ?? []).flatMap((version): Row[] => version.rules.map((rule) => ({ version, rule })));
  if (rows.length === 0) return null;
  const findName = (id: string): string =>
    rules.find((rule) => rule.id === id || rule.exceptions?.some((exception) => exception.id === id))?.name ??
    'Deleted rule';
  const columns: readonly TableColumn<Row>[] = [
    { key: 'saved', label: 'Saved', isHead: true, cell: ({ version }) => <RelativeTime time={version.saved_at} /> },
    { key: 'rule', label: 'Rule', cell: ({ rule }) => findName(rule.rule_id) },
    { key: 'forecast', label: 'Forecast per day', cell: ({ rule }) => formatCount(Math.round(rule.forecast_per_day)) },
    {
      key: 'outcome',
      label: 'Outcome per day',
      cell: ({ rule: { outcome_per_day: count } }) => (count === null ? 'Not yet' : formatCount(Math.round(count))),
    },
    {
      key: 'error',
      label: 'Error',
      cell: ({ rule: { error } }) => (error === null ? '–' : `${error > 0 ? '+' : ''}${Math.round(error * 100)} %`),
    },
    { key: 'hours', label: 'Hours', cell: ({ version }) => formatCount(version.compared_hours) },
  ];
  return (
    <>
      <Text fw={500}>Earlier forecasts</Text>
      <DataTable
        label="Earlier forecasts"
        columns={columns}
        rows={rows}
        rowKey={({ version, rule }) => `${version.version_id} ${rule.rule_id}`}
        phone="scroll"
      />
      <Text size="sm" c="dimmed">
        Requests that a rule slowed, redirected, charged or refused, or would have in dry run. An error has many
        possible causes, such as agents that react, other traffic or other changes to the site.
      </Text>
    </>
  );
}
