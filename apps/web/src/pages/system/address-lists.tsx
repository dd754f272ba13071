import { Alert, Button, Code, Group, SimpleGrid, Text } from '@mantine/core';
import { useState } from 'react';
import type { System } from '../../api/system-queries.js';
import { countText } from '../../format/count.js';
import { Icon } from '../../ui/icon.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';
import { Stat } from '../../ui/stat.js';
import classes from '../../ui/plain-table.module.css';
import type { Column } from '../../ui/sorting.js';
import { SortedTable } from '../../ui/sorted-table.js';

/** Lists that are shown at first; those at fault come first. */
const FEW = 10;

const COLUMNS: readonly Column<System['catalog']['lists'][number]>[] = [
  { key: 'list', label: 'List', value: ({ url }) => url },
  { key: 'ranges', label: 'Ranges', isNumber: true, value: ({ ranges }) => ranges },
  { key: 'fetched', label: 'Fetched', isLatestFirst: true, value: ({ fetched_at: at }) => at },
  { key: 'failure', label: 'Last failure', value: ({ fault }) => fault },
];

/** Whether lists could not be fetched when they were last tried. */
export const isFailing = ({ lists }: System['catalog']): boolean => lists.some(({ fault }) => fault !== null);

/** What agents are told and proven by. */
export function AddressLists({ catalog }: { catalog: System['catalog'] }) {
  const [isWhole, setWhole] = useState(false);
  const { lists } = catalog;
  const faults = lists.flatMap(({ fault }) => fault ?? []);
  // Those that are yet to be fetched say nothing.
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
      <SortedTable label="Address lists" columns={COLUMNS} rows={lists} limit={isWhole ? undefined : FEW}>
        {({ url, ranges, fetched_at: fetchedAt, fault }) => (
          <tr key={url}>
            <td style={{ overflowWrap: 'anywhere', minWidth: '12rem' }}>{url}</td>
            <td className={classes['number']}>{ranges === null ? 'none' : countText(ranges)}</td>
            <td>{fetchedAt === null ? 'never' : <RelativeTime time={fetchedAt} />}</td>
            <td style={{ overflowWrap: 'anywhere', minWidth: '12rem' }}>{fault ?? 'none'}</td>
          </tr>
        )}
      </SortedTable>
      {lists.length > FEW && (
        <Group>
          <Button size="compact-sm" variant="default" onClick={() => setWhole(!isWhole)} aria-expanded={isWhole}>
            {isWhole ? 'Show fewer lists' : `Show all ${lists.length} lists`}
          </Button>
        </Group>
      )}
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
