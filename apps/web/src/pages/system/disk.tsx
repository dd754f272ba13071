import { Loader, SimpleGrid } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { System } from '../../api/system-queries.js';
import { bytesText } from '../../format/bytes.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Section } from '../../ui/section.js';
import { Stat } from '../../ui/stat.js';

// Lazy-loaded, because `NumberInput` is large.
const RetentionForm = lazy(() => import('./retention-form.js'));

interface DiskProps {
  disk: System['disk'];
  retention: System['retention'];
}

/** Number of partitions shown initially. */
const PAGE = 7;

const COLUMNS: readonly TableColumn<System['disk']['partitions'][number]>[] = [
  {
    key: 'day',
    label: 'Received on (UTC)',
    isHead: true,
    isTime: true,
    value: ({ day }) => day,
    cell: ({ day }) => day,
  },
  { key: 'visits', label: 'Visits, about', isNumber: true, value: ({ visits }) => visits },
  { key: 'size', label: 'Size', isNumber: true, value: ({ bytes }) => bytes, cell: ({ bytes }) => bytesText(bytes) },
];

export function Disk({ disk, retention }: DiskProps) {
  const today = new Date().toISOString().slice(0, 10);
  // Partitions of the next days are created in advance.
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
      <DataTable
        label="Partitions of the visits"
        columns={COLUMNS}
        rows={partitions}
        rowKey={({ day }) => day}
        pageSize={PAGE}
      />
    </Section>
  );
}
