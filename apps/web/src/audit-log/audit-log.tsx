import { Alert, Button, Group, Loader, NativeSelect, Stack, UnstyledButton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy, Suspense, type ReactNode } from 'react';
import { auditExportUrl, auditQuery, type AuditChange, type AuditEntry, type AuditFilters } from '../api/audit.js';
import { DataTable, type TableColumn } from '../ui/data-table.js';
import { EmptyState } from '../ui/empty-state.js';
import { Failure } from '../ui/failure.js';
import { Icon, type IconName } from '../ui/icon.js';
import { formatRelativeTime } from '../format/relative-time.js';
import { formatTime } from '../format/time.js';
import { useClock } from '../ui/use-clock.js';
import { DebouncedInput } from '../ui/debounced-input.js';
import classes from './audit-log.module.css';
import { DayFilter } from './day-filter.js';
import type { AuditSearch } from './search.js';
import { CHANGE_LABELS, SUBJECT_LABELS, summarizeEntry, getActorName } from './labels.js';

const EntryDrawer = lazy(() => import('./entry-drawer.js'));

interface AuditLogProps {
  /** Omit for the instance-wide audit log. */
  projectId?: string;
  search: AuditSearch;
  onSearch: (search: AuditSearch) => void;
}

export function AuditLog({ projectId, search: { entry, ...filters }, onSearch }: AuditLogProps) {
  const query = useInfiniteQuery(auditQuery(projectId, filters));
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? [];
  const openEntry = entries.find(({ id }) => id === entry);
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Stack>
      <Filters filters={filters} onChange={onSearch}>
        <Button component="a" href={auditExportUrl(projectId, filters)} download size="xs" variant="default">
          Export CSV
        </Button>
      </Filters>
      {query.isPending && <Loader size="sm" />}
      {query.isError && (
        <Failure error={query.error} title="Couldn't load the audit log" retry={() => void query.refetch()} />
      )}
      {entry !== undefined && query.isSuccess && !query.isPlaceholderData && openEntry === undefined && (
        <Alert variant="outline" color="gray" role="status">
          {query.hasNextPage
            ? 'This entry isn’t loaded yet. Load older entries to find it.'
            : 'This entry isn’t in the log, or it doesn’t match the filters.'}
        </Alert>
      )}
      {query.isSuccess && entries.length === 0 && (
        <EmptyState title={isFiltered ? 'No entries match' : 'No entries yet'}>
          {isFiltered ? (
            <Button size="compact-sm" variant="default" onClick={() => onSearch({})}>
              Clear filters
            </Button>
          ) : (
            'Changes appear here, along with who made them.'
          )}
        </EmptyState>
      )}
      {entries.length > 0 && (
        <DataTable
          label="Audit log"
          columns={createColumns((id) => onSearch({ ...filters, entry: id }))}
          rows={entries}
          rowKey={({ id }) => id}
          isBusy={query.isPlaceholderData}
          more={query}
          moreLabel="Load older entries"
          phone={['what when', 'who from']}
        />
      )}
      <Suspense>{openEntry && <EntryDrawer entry={openEntry} onClose={() => onSearch(filters)} />}</Suspense>
    </Stack>
  );
}

interface FiltersProps {
  filters: AuditFilters;
  onChange: (filters: AuditFilters) => void;
  children: ReactNode;
}

function Filters({ filters, onChange, children }: FiltersProps) {
  const set = (name: keyof AuditFilters, value: string): void => {
    const { [name]: _, ...others } = filters;
    onChange(value === '' ? others : { ...others, [name]: value });
  };
  return (
    <Group gap="xs" align="end">
      <DebouncedInput
        size="xs"
        label="Who"
        placeholder="Email or key name"
        value={filters.actor ?? ''}
        onTyped={(value) => set('actor', value)}
      />
      <NativeSelect
        size="xs"
        label="What"
        value={filters.subject ?? ''}
        data={[{ value: '', label: 'Everything' }, ...toOptions(SUBJECT_LABELS)]}
        onChange={({ currentTarget }) => set('subject', currentTarget.value)}
      />
      <NativeSelect
        size="xs"
        label="Change"
        value={filters.change ?? ''}
        data={[{ value: '', label: 'Any' }, ...toOptions(CHANGE_LABELS)]}
        onChange={({ currentTarget }) => set('change', currentTarget.value)}
      />
      <DayFilter
        days={filters}
        onChange={(days) => {
          const { from: _from, to: _to, ...others } = filters;
          onChange({ ...others, ...days });
        }}
      />
      {children}
    </Group>
  );
}

const toOptions = (words: Record<string, string>) =>
  Object.entries(words)
    .map(([value, label]) => ({ value, label }))
    .toSorted((one, two) => one.label.localeCompare(two.label));

const BREAKABLE = { overflowWrap: 'anywhere' } as const;

const createColumns = (onOpen: (id: string) => void): readonly TableColumn<AuditEntry>[] => [
  {
    key: 'when',
    label: 'When (UTC)',
    isHead: true,
    narrow: { after: 'UTC' },
    cell: (entry) => <EntryTime time={entry.occurred_at} />,
    style: { fontWeight: 400 },
  },
  {
    key: 'what',
    label: 'What',
    cell: (entry) => (
      <UnstyledButton
        className={classes['entry']}
        data-change={entry.change}
        onClick={() => onOpen(entry.id)}
        aria-label={`Show details: ${summarizeEntry(entry)}`}
      >
        <Icon name={CHANGE_ICONS[entry.change]} size={14} />
        <span className={classes['summary']}>{summarizeEntry(entry)}</span>
      </UnstyledButton>
    ),
    style: BREAKABLE,
  },
  { key: 'who', label: 'Who', cell: getActorName, style: BREAKABLE, narrow: { isSoft: true } },
  { key: 'from', label: 'IP address', cell: ({ actor }) => actor.address, narrow: { isSoft: true } },
];

/** Time in UTC, like the date filters. Shows how long ago it was on hover. */
function EntryTime({ time }: { time: string }) {
  const title = formatRelativeTime(Date.parse(time), useClock());
  return (
    <time dateTime={time} title={title}>
      {formatTime(time, 'UTC', { dateStyle: 'medium', timeStyle: 'short' })}
    </time>
  );
}

const CHANGE_ICONS: Record<AuditChange, IconName> = {
  created: 'plus',
  changed: 'settings',
  removed: 'block',
  revealed: 'find',
  done: 'check',
};
