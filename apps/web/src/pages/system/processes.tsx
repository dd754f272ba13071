import { Text } from '@mantine/core';
import type { System, SystemProcess } from '../../api/system-queries.js';
import { relativeTime } from '../../format/relative-time.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';
import { Scroller } from './scroller.js';
import { State } from './state.js';

const ALL = 'agent-traffic';

/** Every process, as it reports itself. */
export function Processes({ processes, rules }: { processes: readonly SystemProcess[]; rules: System['rules'] }) {
  const isOne = processes.every(({ service }) => service === ALL);
  return (
    <Section
      title="Services"
      lead={
        isOne
          ? 'All services run in one process.'
          : 'Each process reports itself every 10 seconds; after 30 without a report it counts as silent.'
      }
    >
      {processes.length === 0 && <Text size="sm">No process has reported yet.</Text>}
      <Scroller label="Services">
        <thead>
          <tr>
            <th scope="col">Service</th>
            <th scope="col">State</th>
            <th scope="col">Last report</th>
            <th scope="col">Started</th>
            <th scope="col">Version</th>
            <th scope="col">Host</th>
          </tr>
        </thead>
        <tbody>
          {processes.map((process) => (
            <tr key={process.id}>
              <td>{process.service === ALL ? 'all services' : process.service}</td>
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
          ))}
          {rules !== null && (
            <tr>
              <td>rules</td>
              <td>
                <State state={rules.state} />
                {rules.detail !== null && <Text size="xs">{rules.detail}</Text>}
              </td>
              <td colSpan={4}>Keeps no state; the console checks it.</td>
            </tr>
          )}
        </tbody>
      </Scroller>
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
