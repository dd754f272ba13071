import { Text } from '@mantine/core';
import type { System, SystemProcess } from '../../api/system-queries.js';
import { relativeTime } from '../../format/relative-time.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';
import type { Column } from '../../ui/sorting.js';
import { SortedTable } from '../../ui/sorted-table.js';
import { State } from './state.js';

const ALL = 'agent-traffic';

const nameOf = ({ service }: SystemProcess): string => (service === ALL ? 'all services' : service);

const COLUMNS: readonly Column<SystemProcess>[] = [
  { key: 'service', label: 'Service', value: nameOf },
  { key: 'state', label: 'State', value: ({ state }) => state },
  { key: 'report', label: 'Last report', isLatestFirst: true, value: (process) => process.reported_at },
  { key: 'started', label: 'Started', isLatestFirst: true, value: (process) => process.started_at },
  { key: 'version', label: 'Version', value: ({ version }) => version },
  { key: 'host', label: 'Host', value: ({ host }) => host },
];

/** Every process, as it reports itself. */
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
      <SortedTable
        label="Services"
        columns={COLUMNS}
        rows={processes}
        footer={
          rules !== null && (
            <tr>
              <td>rules</td>
              <td>
                <State state={rules.state} />
                {rules.detail !== null && <Text size="xs">{rules.detail}</Text>}
              </td>
              <td colSpan={4}>Keeps no state; the console checks it.</td>
            </tr>
          )
        }
      >
        {(process) => (
          <tr key={process.id}>
            <td>{nameOf(process)}</td>
            <td>
              <State state={process.state} />
              <Faults checks={process.checks} />
            </td>
            <td className="numbers">
              <time title={process.reported_at}>{relativeTime(-1_000 * process.seconds_since_report, 0)}</time>
            </td>
            <td>
              <RelativeTime time={process.started_at} />
            </td>
            <td>{process.version}</td>
            <td>{process.host}</td>
          </tr>
        )}
      </SortedTable>
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
