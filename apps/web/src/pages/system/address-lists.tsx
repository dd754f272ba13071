import { Alert, Code, Text } from '@mantine/core';
import type { System } from '../../api/system-queries.js';
import { formatCount } from '../../format/count.js';
import { Columns } from '../../ui/columns.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Icon } from '../../ui/icon.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';
import { Stat } from '../../ui/stat.js';

/** Number of lists per page. Failing lists come first. */
const PAGE_SIZE = 10;
const LONG_TEXT_STYLE = { overflowWrap: 'anywhere', minWidth: '12rem' } as const;

const COLUMNS: readonly TableColumn<System['catalog']['lists'][number]>[] = [
  { key: 'list', label: 'List', isHead: true, value: ({ url }) => url, style: LONG_TEXT_STYLE },
  {
    key: 'ranges',
    label: 'Ranges',
    isNumber: true,
    value: ({ ranges }) => ranges,
    cell: ({ ranges }) => (ranges === null ? 'none' : formatCount(ranges)),
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
    style: LONG_TEXT_STYLE,
  },
];

/** Returns true if the last attempt to fetch any list failed. */
export const isFailing = ({ lists }: System['catalog']): boolean => lists.some(({ fault }) => fault !== null);

/** Shows the catalog version and the address lists used to verify agents. */
export function AddressLists({ catalog }: { catalog: System['catalog'] }) {
  const { lists } = catalog;
  const faults = lists.flatMap(({ fault }) => fault ?? []);
  // Excludes lists that haven't been fetched yet.
  const workingCount = lists.filter(({ fault, fetched_at: at }) => fault === null && at !== null).length;
  const fetchedCount = lists.filter(({ fetched_at: at }) => at !== null).length;
  return (
    <Section title="Catalog and its sources" id="address-lists">
      <Columns cols={{ base: 2, sm: 4 }}>
        <Stat label="Version in use" value={catalog.version ?? 'not responding'} />
        <Stat label="Included in this release" value={catalog.bundled_version} />
        <Stat label="Agents" value={catalog.agents} />
        <Stat label="Added or changed here" value={catalog.own_agents} />
      </Columns>
      <Text size="sm">
        {fetchedCount} of {lists.length} address lists published by operators have been fetched
        {faults.length > 0 ? `; the last attempt failed for ${faults.length}` : ''}. Lists fetched earlier stay in use.
      </Text>
      {faults.length > 0 && workingCount === 0 && <AllFailing fault={faults[0]!} />}
      <DataTable label="Address lists" columns={COLUMNS} rows={lists} rowKey={({ url }) => url} pageSize={PAGE_SIZE} />
    </Section>
  );
}

function AllFailing({ fault }: { fault: string }) {
  return (
    <Alert color="red" variant="outline" icon={<Icon name="failed" />} title="All address lists are failing">
      <Text size="sm">
        Lists that were never fetched can’t be used to verify agents. Allow this instance to access the internet over
        HTTPS, or set <Code>IP_LISTS_FILE</Code>. First error: {fault}
      </Text>
    </Alert>
  );
}
