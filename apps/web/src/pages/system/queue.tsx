import { Text } from '@mantine/core';
import type { System } from '../../api/system-queries.js';
import { formatCount } from '../../format/count.js';
import { formatBytes } from '../../format/bytes.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';

const COLUMNS: readonly TableColumn<NonNullable<System['queue']>['groups'][number]>[] = [
  { key: 'group', label: 'Consumer group', isHead: true, value: ({ group }) => group },
  {
    key: 'state',
    label: 'State',
    value: ({ state }) => state,
    cell: ({ members, state }) => (members === 0 ? 'no members' : state.toLowerCase()),
  },
  { key: 'members', label: 'Members', isNumber: true, value: ({ members }) => members },
  { key: 'waiting', label: 'Messages waiting', isNumber: true, value: ({ lag }) => lag },
];

interface QueueSectionProps {
  queue: NonNullable<System['queue']>;
  outbox: System['disk']['outbox'];
}

export function QueueSection({ queue, outbox }: QueueSectionProps) {
  return (
    <Section title="Queue">
      {queue.fault !== null && (
        <Text size="sm" c="var(--failed)">
          Couldn’t inspect Kafka: {queue.fault}
        </Text>
      )}
      {queue.groups.length > 0 && (
        <DataTable label="Consumer groups" columns={COLUMNS} rows={queue.groups} rowKey={({ group }) => group} />
      )}
      {queue.topics.map((topicMismatch) => (
        <Text key={topicMismatch} size="sm">
          {topicMismatch}
        </Text>
      ))}
      <Text size="sm">
        Waiting to be sent to the queue: {outbox.messages === 0 ? 'none' : `${formatCount(outbox.messages)} messages`},{' '}
        {formatBytes(outbox.bytes)}
        {outbox.oldest_at !== null && (
          <>
            , the oldest <RelativeTime time={outbox.oldest_at} />
          </>
        )}
        .
      </Text>
    </Section>
  );
}
