import { Text } from '@mantine/core';
import type { System } from '../../api/system-queries.js';
import { countText } from '../../format/count.js';
import { bytesText } from '../../format/bytes.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';
import classes from '../../ui/plain-table.module.css';
import type { Column } from '../../ui/sorting.js';
import { SortedTable } from '../../ui/sorted-table.js';

const COLUMNS: readonly Column<NonNullable<System['queue']>['groups'][number]>[] = [
  { key: 'group', label: 'Consumers', value: ({ group }) => group },
  { key: 'state', label: 'State', value: ({ state }) => state },
  { key: 'members', label: 'Members', isNumber: true, value: ({ members }) => members },
  { key: 'waiting', label: 'Messages waiting', isNumber: true, value: ({ lag }) => lag },
];

export interface QueuePartProps {
  queue: System['queue'];
  outbox: System['disk']['outbox'];
}

/** How much waits for whom. */
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
            <SortedTable label="Consumers" columns={COLUMNS} rows={queue.groups}>
              {({ group, state, members, lag }) => (
                <tr key={group}>
                  <td>{group}</td>
                  <td>{members === 0 ? 'no members' : state.toLowerCase()}</td>
                  <td className={classes['number']}>{members}</td>
                  <td className={classes['number']}>{countText(lag)}</td>
                </tr>
              )}
            </SortedTable>
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
