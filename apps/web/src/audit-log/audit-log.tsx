import { Alert, Button, Group, Loader, NativeSelect, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy, Suspense, type ReactNode } from 'react';
import { auditExportAddress, auditQuery, type AuditEntry, type AuditFilters } from '../api/audit.js';
import { DataTable, type TableColumn } from '../ui/data-table.js';
import { EmptyState } from '../ui/empty-state.js';
import { Failure } from '../ui/failure.js';
import { RelativeTime } from '../ui/relative-time.js';
import { TypedInput } from '../ui/typed-input.js';
import type { AuditSearch } from './search.js';
import { CHANGES, SUBJECTS, whatHappened, whoDidIt } from './words.js';

const EntryDrawer = lazy(() => import('./entry-drawer.js'));

interface AuditLogProps {
  /** Omit for the audit log of the instance. */
  projectId?: string;
  search: AuditSearch;
  onSearch: (search: AuditSearch) => void;
}

export function AuditLog({ projectId, search: { entry, ...filters }, onSearch }: AuditLogProps) {
  const answer = useInfiniteQuery(auditQuery(projectId, filters));
  const entries = answer.data?.pages.flatMap((page) => page.entries) ?? [];
  const shown = entries.find(({ id }) => id === entry);
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Stack>
      <Filters filters={filters} onChange={onSearch}>
        <Button component="a" href={auditExportAddress(projectId, filters)} download size="xs" variant="default">
          Export CSV
        </Button>
      </Filters>
      {answer.isPending && <Loader size="sm" />}
      {answer.isError && (
        <Failure error={answer.error} title="The audit log can't be shown" retry={() => void answer.refetch()} />
      )}
      {entry !== undefined && answer.isSuccess && !answer.isPlaceholderData && shown === undefined && (
        <Alert variant="outline" color="gray" role="status">
          {answer.hasNextPage
            ? 'This entry is not among those shown. Load older entries to find it.'
            : 'This entry is not in the log, or does not match the filters.'}
        </Alert>
      )}
      {answer.isSuccess && entries.length === 0 && (
        <EmptyState title={isFiltered ? 'No entries match' : 'No entries yet'}>
          {isFiltered ? (
            <Button size="compact-sm" variant="default" onClick={() => onSearch({})}>
              Clear filters
            </Button>
          ) : (
            'Every change is listed here, with who made it.'
          )}
        </EmptyState>
      )}
      {entries.length > 0 && (
        <DataTable
          label="Audit log"
          columns={columnsOf((id) => onSearch({ ...filters, entry: id }))}
          rows={entries}
          rowKey={({ id }) => id}
          isBusy={answer.isPlaceholderData}
          more={answer}
          moreLabel="Load older entries"
        />
      )}
      <Suspense>{shown && <EntryDrawer entry={shown} onClose={() => onSearch(filters)} />}</Suspense>
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
      <TypedInput
        size="xs"
        label="Who"
        placeholder="E-mail or key name"
        value={filters.actor ?? ''}
        onTyped={(value) => set('actor', value)}
      />
      <NativeSelect
        size="xs"
        label="What"
        value={filters.subject ?? ''}
        data={[{ value: '', label: 'Everything' }, ...optionsOf(SUBJECTS)]}
        onChange={({ currentTarget }) => set('subject', currentTarget.value)}
      />
      <NativeSelect
        size="xs"
        label="Change"
        value={filters.change ?? ''}
        data={[{ value: '', label: 'Any' }, ...optionsOf(CHANGES)]}
        onChange={({ currentTarget }) => set('change', currentTarget.value)}
      />
      {(['from', 'to'] as const).map((name) => (
        <TypedInput
          key={name}
          type="date"
          size="xs"
          label={name === 'from' ? 'From (UTC)' : 'To (UTC)'}
          value={filters[name] ?? ''}
          onTyped={(value) => {
            // While a year is being typed, the input reports dates such as 0202-01-01.
            if (!value.startsWith('0')) set(name, value);
          }}
        />
      ))}
      {children}
    </Group>
  );
}

const optionsOf = (words: Record<string, string>) =>
  Object.entries(words)
    .map(([value, label]) => ({ value, label }))
    .toSorted((one, two) => one.label.localeCompare(two.label));

const BREAKABLE = { overflowWrap: 'anywhere' } as const;

const columnsOf = (onOpen: (id: string) => void): readonly TableColumn<AuditEntry>[] => [
  { key: 'when', label: 'When', isHead: true, cell: (entry) => <RelativeTime time={entry.occurred_at} /> },
  { key: 'who', label: 'Who', cell: whoDidIt, style: BREAKABLE },
  {
    key: 'what',
    label: 'What',
    cell: (entry) => (
      <>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => onOpen(entry.id)}
          aria-label={`Show details: ${whatHappened(entry)}${entry.subject.name === null ? '' : `, ${entry.subject.name}`}`}
        >
          {whatHappened(entry)}
        </Button>
        {entry.subject.name !== null && (
          <Text size="sm" c="dimmed">
            {entry.subject.name}
          </Text>
        )}
      </>
    ),
    style: BREAKABLE,
  },
  { key: 'from', label: 'From', cell: ({ actor }) => actor.address },
];
