import { Button, Group, Loader, SimpleGrid } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { System } from '../../api/system-queries.js';
import { countText } from '../../format/count.js';
import { bytesText } from '../../format/bytes.js';
import { Section } from '../../ui/section.js';
import { Stat } from '../../ui/stat.js';
import classes from '../../ui/plain-table.module.css';
import type { Column } from '../../ui/sorting.js';
import { SortedTable } from '../../ui/sorted-table.js';

// Apart, as its field takes much to load.
const RetentionForm = lazy(() => import('./retention-form.js'));

export interface DiskProps {
  disk: System['disk'];
  retention: System['retention'];
}

/** Partitions that are listed at first. */
const FEW = 7;

const COLUMNS: readonly Column<System['disk']['partitions'][number]>[] = [
  { key: 'day', label: 'Received on (UTC)', isLatestFirst: true, value: ({ day }) => day },
  { key: 'visits', label: 'Visits, about', isNumber: true, value: ({ visits }) => visits },
  { key: 'size', label: 'Size', isNumber: true, value: ({ bytes }) => bytes },
];

/** What the visits take, and for how long they are kept. */
export function Disk({ disk, retention }: DiskProps) {
  const [isWhole, setWhole] = useState(false);
  const today = new Date().toISOString().slice(0, 10);
  // Some are there before they are needed.
  const partitions = disk.partitions.filter(({ day, visits }) => day <= today || visits > 0);
  return (
    <Section title="Disk and retention">
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        <Stat label="Database" value={bytesText(disk.database_bytes)} />
        <Stat label="Visits" value={bytesText(disk.visits_bytes)} />
        <Stat label="Counts" value={bytesText(disk.counts_bytes)} />
        <Stat label="Outbox" value={bytesText(disk.outbox.bytes)} />
      </SimpleGrid>
      <Suspense fallback={<Loader size="sm" />}>
        <RetentionForm estimates={retention} partitions={partitions} />
      </Suspense>
      <SortedTable
        label="Partitions of the visits"
        columns={COLUMNS}
        rows={partitions}
        limit={isWhole ? undefined : FEW}
      >
        {({ day, bytes, visits }) => (
          <tr key={day}>
            <td>{day}</td>
            <td className={classes['number']}>{countText(visits)}</td>
            <td className={classes['number']}>{bytesText(bytes)}</td>
          </tr>
        )}
      </SortedTable>
      {partitions.length > FEW && (
        <Group>
          <Button size="compact-sm" variant="default" onClick={() => setWhole(!isWhole)} aria-expanded={isWhole}>
            {isWhole ? 'Show fewer days' : `Show all ${partitions.length} days`}
          </Button>
        </Group>
      )}
    </Section>
  );
}
