import { Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { alertEventsQuery, type AlertEvent } from '../../api/alerts.js';
import type { Project } from '../../api/client.js';
import { MAX_ALERT_EVENTS } from '../../api/constants.js';
import { Failure } from '../../ui/failure.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';
import { SortedTable } from '../../ui/sorted-table.js';
import type { Column, Sort } from '../../ui/sorting.js';

const COLUMNS: readonly Column<AlertEvent>[] = [
  { key: 'fired', label: 'Fired', isLatestFirst: true, value: ({ fired_at: at }) => at },
  { key: 'recovered', label: 'Recovered', isLatestFirst: true, value: ({ recovered_at: at }) => at },
  { key: 'what', label: 'What happened', value: ({ text }) => text },
];
const LATEST: Sort = { key: 'fired', direction: 'descending' };

/** When alerts fired and recovered. */
export function History({ project }: { project: Project }) {
  const events = useQuery(alertEventsQuery(project.id));
  return (
    <Section
      title="History"
      lead={events.data?.length === MAX_ALERT_EVENTS && `The latest ${MAX_ALERT_EVENTS} events.`}
    >
      {events.isPending && <Loader size="sm" />}
      {events.isError && <Failure error={events.error} retry={() => void events.refetch()} />}
      {events.isSuccess && events.data.length === 0 && <Text size="sm">No alerts have fired yet.</Text>}
      {events.isSuccess && events.data.length > 0 && (
        <SortedTable label="Alert history" columns={COLUMNS} rows={events.data} owner={project.name} initial={LATEST}>
          {({ id, fired_at: fired, recovered_at: recovered, text }) => (
            <tr key={id}>
              <td>
                <RelativeTime time={fired} />
              </td>
              <td>{recovered === null ? 'not yet' : <RelativeTime time={recovered} />}</td>
              <td>{text}</td>
            </tr>
          )}
        </SortedTable>
      )}
    </Section>
  );
}
