import { Loader, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { System } from '../../api/system-queries.js';
import { formatBytes } from '../../format/bytes.js';
import { formatCount } from '../../format/count.js';
import { Columns } from '../../ui/columns.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { useClock } from '../../ui/use-clock.js';
import { Section } from '../../ui/section.js';
import { Stat } from '../../ui/stat.js';

// Lazy-loaded, because `NumberInput` is large.
const RetentionForm = lazy(() => import('./retention-form.js'));

interface DiskProps {
  disk: System['disk'];
  retention: System['retention'];
}

const PAGE_SIZE = 7;
/** Age of a batch from which its reason should be checked. The alert has the same limit. */
const MAX_PENDING_MS = 300_000;

const COLUMNS: readonly TableColumn<System['disk']['partitions'][number]>[] = [
  {
    key: 'day',
    label: 'Received on (UTC)',
    isHead: true,
    isTime: true,
    value: ({ day }) => day,
    cell: ({ day }) => day,
  },
  { key: 'visits', label: 'Visits (approx.)', isNumber: true, value: ({ visits }) => visits },
  { key: 'size', label: 'Size', isNumber: true, value: ({ bytes }) => bytes, cell: ({ bytes }) => formatBytes(bytes) },
];

function VisitStore({ store }: { store: System['disk']['visit_store'] }) {
  const now = useClock();
  const { name, fault, pending_batches: batches, oldest_pending_at: oldest } = store;
  return (
    <Text size="sm" c={fault === null ? undefined : 'var(--failed)'}>
      Visits are stored in {name}
      {fault !== null && `, which is unavailable: ${fault}`}.
      {oldest !== null && (
        <>
          {' '}
          Batches waiting to be stored: {formatCount(batches)}, the oldest <RelativeTime time={oldest} />.
          {now - Date.parse(oldest) > MAX_PENDING_MS && ' For the reason, run agent-traffic doctor.'}
        </>
      )}
    </Text>
  );
}

export function Disk({ disk, retention }: DiskProps) {
  const today = new Date().toISOString().slice(0, 10);
  // Hide the empty partitions that were created in advance for the coming days.
  const partitions = disk.partitions.filter(({ day, visits }) => day <= today || visits > 0);
  return (
    <Section title="Disk and retention">
      <Columns cols={{ base: 2, sm: 4 }}>
        <Stat label="Database" value={formatBytes(disk.database_bytes)} />
        <Stat label="Visits" value={formatBytes(disk.visits_bytes)} />
        <Stat label="Counts" value={formatBytes(disk.counts_bytes)} />
        <Stat label="Waiting to be sent" value={formatBytes(disk.outbox.bytes)} />
      </Columns>
      <VisitStore store={disk.visit_store} />
      <Suspense fallback={<Loader size="sm" />}>
        <RetentionForm estimates={retention} partitions={partitions} />
      </Suspense>
      <DataTable
        label="Visit partitions"
        columns={COLUMNS}
        rows={partitions}
        rowKey={({ day }) => day}
        pageSize={PAGE_SIZE}
      />
    </Section>
  );
}
