import { Text } from '@mantine/core';
import type { System } from '../../api/system-queries.js';
import { countText } from '../../format/count.js';
import { bytesText } from '../../format/bytes.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';

const COLUMNS: readonly TableColumn<NonNullable<System['queue']>['groups'][number]>[] = [
  { key: 'group', label: 'Consumers', isHead: true, value: ({ group }) => group },
  {
    key: 'state',
    label: 'State',
    value: ({ state }) => state,
    cell: ({ members, state }) => (members === 0 ? 'no members' : state.toLowerCase()),
  },
  { key: 'members', label: 'Members', isNumber: true, value: ({ members }) => members },
  { key: 'waiting', label: 'Messages waiting', isNumber: true, value: ({ lag }) => lag },
];

interface QueuePartProps {
  queue: System['queue'];
  outbox: System['disk']['outbox'];
}

/** Kafka consumers with their lag, and the outbox. */
export function QueuePart({ queue, outbox }: QueuePartProps) {
  return (
    <Section title="Queue">
      {queue === null ? (
        <Text size="sm">No queue: all services run in one process.</Text>
      ) : (
        <>
          {queue.fault !== null && (
            <Text size="sm" c="var(--failed)">
              Kafka could not be inspected: {queue.fault}
            </Text>
          )}
          {queue.groups.length > 0 && (
            <DataTable label="Consumers" columns={COLUMNS} rows={queue.groups} rowKey={({ group }) => group} />
          )}
          {queue.topics.map((difference) => (
            <Text key={difference} size="sm">
              {difference}
            </Text>
          ))}
          <Text size="sm">
            Outbox: {outbox.messages === 0 ? 'empty' : `${countText(outbox.messages)} messages`},{' '}
            {bytesText(outbox.bytes)}
            {outbox.oldest_at !== null && (
              <>
                , the oldest <RelativeTime time={outbox.oldest_at} />
              </>
            )}
            .
          </Text>
        </>
      )}
    </Section>
  );
}
