import { Group, Text } from '@mantine/core';
import type { System, SystemProcess } from '../../api/system-queries.js';
import { formatRelativeTime } from '../../format/relative-time.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Section } from '../../ui/section.js';
import { State } from './state.js';

const ALL_IN_ONE = 'agent-traffic';

const toServiceName = ({ service }: SystemProcess): string =>
  service === ALL_IN_ONE ? 'Agent Traffic' : `${service.charAt(0).toUpperCase()}${service.slice(1)}`;

const COLUMNS: readonly TableColumn<SystemProcess>[] = [
  { key: 'service', label: 'Service', isHead: true, value: toServiceName },
  {
    key: 'state',
    label: 'State',
    value: ({ state }) => state,
    cell: ({ state, checks }) => (
      <>
        <State state={state} />
        <FailedChecks checks={checks} />
      </>
    ),
  },
  {
    key: 'report',
    label: 'Last report',
    isTime: true,
    value: (process) => process.reported_at,
    cell: (process) => (
      <time className="numbers" title={process.reported_at}>
        {formatRelativeTime(-1_000 * process.seconds_since_report, 0)}
      </time>
    ),
  },
  { key: 'started', label: 'Started', isTime: true, value: (process) => process.started_at },
  { key: 'version', label: 'Version', value: ({ version }) => version },
  { key: 'host', label: 'Host', value: ({ host }) => host },
];

export function Processes({ processes, rules }: { processes: readonly SystemProcess[]; rules: System['rules'] }) {
  const isSingleProcess = processes.every(({ service }) => service === ALL_IN_ONE);
  return (
    <Section
      title="Services"
      lead={
        isSingleProcess
          ? 'All services run in one process.'
          : 'Each process reports its state every 10 seconds. After 30 seconds without a report, it’s shown as not reporting.'
      }
    >
      {processes.length === 0 && <Text size="sm">No process has reported yet.</Text>}
      <DataTable label="Services" columns={COLUMNS} rows={processes} rowKey={({ id }) => id} />
      {rules !== null && (
        <Group gap="xs">
          <Text size="sm">Rules</Text>
          <State state={rules.state} />
          <Text size="sm" c="dimmed">
            {rules.detail !== null && `${rules.detail}. `}Stateless, so the console checks it directly.
          </Text>
        </Group>
      )}
    </Section>
  );
}

function FailedChecks({ checks }: { checks: SystemProcess['checks'] }) {
  return Object.entries(checks).map(
    ([name, fault]) =>
      fault !== null && (
        <Text key={name} size="xs">
          {name}: {fault}
        </Text>
      ),
  );
}
