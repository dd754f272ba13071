import { Alert, Code, SimpleGrid, Text } from '@mantine/core';
import type { System } from '../../api/system-queries.js';
import { countText } from '../../format/count.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Icon } from '../../ui/icon.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';
import { Stat } from '../../ui/stat.js';

/** Number of lists shown initially. Failing ones come first. */
const PAGE = 10;
const LONG = { overflowWrap: 'anywhere', minWidth: '12rem' } as const;

const COLUMNS: readonly TableColumn<System['catalog']['lists'][number]>[] = [
  { key: 'list', label: 'List', isHead: true, value: ({ url }) => url, style: LONG },
  {
    key: 'ranges',
    label: 'Ranges',
    isNumber: true,
    value: ({ ranges }) => ranges,
    cell: ({ ranges }) => (ranges === null ? 'none' : countText(ranges)),
  },
  {
    key: 'fetched',
    label: 'Fetched',
    isTime: true,
    value: ({ fetched_at: at }) => at,
    cell: ({ fetched_at: at }) => (at === null ? 'never' : <RelativeTime time={at} />),
  },
  {
    key: 'failure',
    label: 'Last failure',
    value: ({ fault }) => fault,
    cell: ({ fault }) => fault ?? 'none',
    style: LONG,
  },
];

/** Returns true if the last attempt to fetch any of the lists failed. */
export const isFailing = ({ lists }: System['catalog']): boolean => lists.some(({ fault }) => fault !== null);

/** Catalog version, and the address lists that agents are verified with. */
export function AddressLists({ catalog }: { catalog: System['catalog'] }) {
  const { lists } = catalog;
  const faults = lists.flatMap(({ fault }) => fault ?? []);
  // Excludes lists that have not been fetched yet.
  const working = lists.filter(({ fault, fetched_at: at }) => fault === null && at !== null).length;
  const fetched = lists.filter(({ fetched_at: at }) => at !== null).length;
  return (
    <Section title="Catalog and its sources" id="address-lists">
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        <Stat label="Version in use" value={catalog.version ?? 'does not answer'} />
        <Stat label="Came with the release" value={catalog.bundled_version} />
        <Stat label="Agents" value={catalog.agents} />
        <Stat label="Added or changed here" value={catalog.own_agents} />
      </SimpleGrid>
      <Text size="sm">
        {fetched} of {lists.length} address lists that operators publish have been fetched
        {faults.length > 0 ? `; the last attempt failed for ${faults.length}` : ''}. Lists fetched before stay in use.
      </Text>
      {faults.length > 0 && working === 0 && <AllFailing fault={faults[0]!} />}
      <DataTable label="Address lists" columns={COLUMNS} rows={lists} rowKey={({ url }) => url} pageSize={PAGE} />
    </Section>
  );
}

function AllFailing({ fault }: { fault: string }) {
  return (
    <Alert color="red" variant="outline" icon={<Icon name="failed" />} title="All address lists are failing">
      <Text size="sm">
        Agents cannot be verified by a list that was never fetched. Let this instance reach the internet by https, or
        set <Code>IP_LISTS_FILE</Code>. The first fault: {fault}
      </Text>
    </Alert>
  );
}
