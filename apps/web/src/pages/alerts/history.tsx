import { Loader, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { alertEventsQuery, type AlertEvent } from '../../api/alerts.js';
import { client, data, type Project } from '../../api/client.js';
import { MAX_ALERT_EVENTS } from '../../api/constants.js';
import { notificationsQuery } from '../../api/notifications.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Failure } from '../../ui/failure.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';

const COLUMNS: readonly TableColumn<AlertEvent>[] = [
  {
    key: 'fired',
    label: 'Fired',
    isTime: true,
    narrow: { before: 'fired ', isSoft: true },
    value: ({ fired_at: at }) => at,
  },
  {
    key: 'recovered',
    label: 'Recovered',
    isTime: true,
    narrow: { before: 'recovered ', isSoft: true },
    value: ({ recovered_at: at }) => at,
    cell: ({ recovered_at: at }) => (at === null ? 'not yet' : <RelativeTime time={at} />),
  },
  { key: 'what', label: 'What happened', value: ({ text }) => text },
];

export function History({ project }: { project: Project }) {
  useMarkAsRead(project.id);
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
        <DataTable
          label="Alert history"
          columns={COLUMNS}
          rows={events.data}
          rowKey={({ id }) => id}
          owner={project.name}
          initial="fired"
          phone={['what what', 'fired recovered']}
          pageSize={10}
        />
      )}
    </Section>
  );
}

/** Marks the project's notifications as read, because the page lists them. */
function useMarkAsRead(projectId: string): void {
  const queryClient = useQueryClient();
  const { data: list } = useQuery(notificationsQuery);
  const ids = (list?.notifications ?? [])
    .filter(({ project, is_read: isRead }) => project.id === projectId && !isRead)
    .map(({ id }) => id)
    .join(' ');
  useEffect(() => {
    if (ids === '') return;
    const isRead = data(client.POST('/api/account/notifications/read', { body: { ids: ids.split(' ') } }));
    isRead.then(() => queryClient.invalidateQueries({ queryKey: notificationsQuery.queryKey })).catch(() => undefined);
  }, [ids, queryClient]);
}
