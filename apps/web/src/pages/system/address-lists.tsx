import { Alert, Code, Text } from '@mantine/core';
import type { System } from '../../api/system-queries.js';
import { formatCount } from '../../format/count.js';
import { formatTime } from '../../format/time.js';
import { Columns } from '../../ui/columns.js';
import { DataTable, type TableColumn } from '../../ui/data-table.js';
import { Icon } from '../../ui/icon.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Section } from '../../ui/section.js';
import { Stat } from '../../ui/stat.js';
import { countListFaults, explainListFault } from './list-fault.js';
import { groupLists, type ListGroup } from './list-groups.js';
import classes from './system.module.css';
import { UpdateLists } from './update-lists.js';

/** Number of operators per page. Those with failing lists come first. */
const PAGE_SIZE = 15;

/** @param commonFault Explanation that isn't repeated in each row. */
const createColumns = (commonFault: string | null): readonly TableColumn<ListGroup>[] => [
  {
    key: 'operator',
    label: 'Operator',
    isHead: true,
    value: ({ name }) => name,
    style: { overflowWrap: 'anywhere', minWidth: '8rem', maxWidth: '18rem' },
  },
  {
    key: 'lists',
    label: 'Lists',
    value: ({ lists }) => lists.map(({ url }) => url).join(' '),
    cell: ({ lists }) => lists.map(({ url }) => <ListLink key={url} url={url} />),
    style: { overflowWrap: 'anywhere', minWidth: '12rem' },
  },
  {
    key: 'ranges',
    label: 'Ranges',
    isNumber: true,
    narrow: { after: 'ranges' },
    value: ({ ranges }) => ranges,
    cell: ({ ranges }) => (ranges === null ? <span className="zero">–</span> : formatCount(ranges)),
  },
  {
    key: 'state',
    label: 'Last update',
    isTime: true,
    value: ({ fetchedAt, bundledAsOf }) => fetchedAt ?? bundledAsOf,
    cell: ({ fetchedAt, bundledAsOf, failing }) => (
      <>
        {fetchedAt !== null && <RelativeTime time={fetchedAt} />}
        {fetchedAt === null && (bundledAsOf === null ? 'Never' : `${formatDay(bundledAsOf)}, with the release`)}
        {[...new Set(failing.map(({ fault }) => explainListFault(fault!)))]
          .filter((text) => text !== commonFault)
          .map((text) => (
            <span key={text} className={classes['fault']} title={failing.map(({ fault }) => fault).join('\n')}>
              {text}
            </span>
          ))}
      </>
    ),
  },
];

function ListLink({ url }: { url: string }) {
  const { hostname, pathname } = new URL(url);
  return (
    <a href={url} target="_blank" rel="noreferrer" className={classes['list']}>
      {hostname.replace(/^www\./, '')}
      <span className={classes['path']}>{pathname}</span>
    </a>
  );
}

/** Shows the catalog version and the address lists used to verify agents. */
export function AddressLists({ catalog }: { catalog: System['catalog'] }) {
  const { lists } = catalog;
  const failing = lists.filter(({ fault }) => fault !== null);
  // Excludes lists that haven't been fetched yet.
  const workingCount = lists.filter(({ fault, fetched_at: at }) => fault === null && at !== null).length;
  const areAllFailing = failing.length > 0 && workingCount === 0;
  const causes = countListFaults(failing.map(({ fault }) => fault!));
  const fetchedCount = lists.filter(({ fetched_at: at }) => at !== null).length;
  return (
    <Section
      title="Address lists"
      lead="IP addresses published by operators, used to verify agents."
      actions={<UpdateLists lists={lists} />}
    >
      {failing.length > 0 && (
        <FailingLists
          causes={causes}
          listCount={lists.length}
          areAllFailing={areAllFailing}
          wasFetched={fetchedCount > 0}
        />
      )}
      <Columns cols={{ base: 2 }}>
        <Stat label="Lists fetched" value={`${formatCount(fetchedCount)} of ${formatCount(lists.length)}`} />
        <Stat
          label="Last update failed"
          value={failing.length}
          color={failing.length > 0 ? 'var(--failed)' : undefined}
        />
      </Columns>
      <DataTable
        label="Address lists"
        columns={createColumns(areAllFailing ? causes[0]![0] : null)}
        rows={groupLists(lists, catalog.bundled_ranges)}
        rowKey={({ name }) => name}
        pageSize={PAGE_SIZE}
        phone={['operator ranges', 'lists lists', 'state state']}
      />
      <Text size="xs" c="dimmed">
        Catalog version {catalog.version ?? 'unknown, because the catalog service isn’t responding'}. This release
        includes {catalog.bundled_version === catalog.version ? 'the same version' : catalog.bundled_version}.
      </Text>
    </Section>
  );
}

interface FailingListsProps {
  /** Number of lists by cause. */
  causes: readonly (readonly [cause: string, lists: number])[];
  listCount: number;
  areAllFailing: boolean;
  wasFetched: boolean;
}

/** Explains each cause once. */
function FailingLists({ causes, listCount, areAllFailing, wasFetched }: FailingListsProps) {
  const failing = causes.reduce((sum, [, lists]) => sum + lists, 0);
  return (
    <Alert
      color="red"
      variant="outline"
      icon={<Icon name="failed" />}
      title={
        areAllFailing
          ? 'No address list can be fetched'
          : `${formatCount(failing)} of ${formatCount(listCount)} address lists couldn’t be fetched`
      }
    >
      {causes.length > 1 && (
        <ul className={classes['causes']}>
          {causes.map(([cause, lists]) => (
            <li key={cause}>
              {cause}: {formatCount(lists)} {lists === 1 ? 'list' : 'lists'}
            </li>
          ))}
        </ul>
      )}
      <Text size="sm">
        {causes.length === 1 && `${causes[0]![0]}. `}
        {areAllFailing ? (
          <>
            Allow this instance to access the internet over HTTPS, or set <Code>IP_LISTS_FILE</Code>. Until then, agents
            are verified with the address ranges that came with this release
            {wasFetched ? ' or were fetched before' : ''}.
          </>
        ) : (
          'Their previous ranges stay in use. Failed lists are fetched again every hour.'
        )}
      </Text>
    </Alert>
  );
}

const formatDay = (day: string): string => formatTime(day, 'UTC', { dateStyle: 'medium' });
