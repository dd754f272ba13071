import { Group, Text } from '@mantine/core';
import type { System, SystemProcess } from '../../api/system-queries.js';
import { relativeTime } from '../../format/relative-time.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Section } from '../../ui/section.js';
import { State } from './state.js';

const ALL = 'agent-traffic';

const nameOf = ({ service }: SystemProcess): string => (service === ALL ? 'all services' : service);

const COLUMNS: readonly TableColumn<SystemProcess>[] = [
  { key: 'service', label: 'Service', isHead: true, value: nameOf },
  {
    key: 'state',
    label: 'State',
    value: ({ state }) => state,
    cell: ({ state, checks }) => (
      <>
        <State state={state} />
        <Faults checks={checks} />
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
        {relativeTime(-1_000 * process.seconds_since_report, 0)}
      </time>
    ),
  },
  { key: 'started', label: 'Started', isTime: true, value: (process) => process.started_at },
  { key: 'version', label: 'Version', value: ({ version }) => version },
  { key: 'host', label: 'Host', value: ({ host }) => host },
];

/** State of each process, as reported by the process itself. */
export function Processes({ processes, rules }: { processes: readonly SystemProcess[]; rules: System['rules'] }) {
  const isOne = processes.every(({ service }) => service === ALL);
  return (
    <Section
      title="Services"
      lead={
        isOne
          ? 'All services run in one process.'
          : 'Each process reports itself every 10 seconds; after 30 without a report it counts as not reporting.'
      }
    >
      {processes.length === 0 && <Text size="sm">No process has reported yet.</Text>}
      <DataTable label="Services" columns={COLUMNS} rows={processes} rowKey={({ id }) => id} />
      {rules !== null && (
        <Group gap="xs">
          <Text size="sm">rules</Text>
          <State state={rules.state} />
          <Text size="sm" c="dimmed">
            {rules.detail !== null && `${rules.detail}. `}Keeps no state; the console checks it.
          </Text>
        </Group>
      )}
    </Section>
  );
}

function Faults({ checks }: { checks: SystemProcess['checks'] }) {
  return Object.entries(checks).map(
    ([name, fault]) =>
      fault !== null && (
        <Text key={name} size="xs">
          {name}: {fault}
        </Text>
      ),
  );
}
