import { Alert, Button, Stack, Text, UnstyledButton } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { auditExportUrl, auditQuery, type AuditChange, type AuditEntry, type AuditFilters } from '../api/audit.js';
import { projectsQuery } from '../api/queries.js';
import { CardSkeleton } from '../ui/card-skeleton.js';
import { DataTable, type TableColumn } from '../ui/data-table.js';
import { EmptyState } from '../ui/empty-state.js';
import { Failure } from '../ui/failure.js';
import { Icon, type IconName } from '../ui/icon.js';
import { formatRelativeTime } from '../format/relative-time.js';
import { formatTime } from '../format/time.js';
import { toPageLink } from '../ui/page-link.js';
import { TextLink } from '../ui/text-link.js';
import { SmallSelect } from '../ui/small-select.js';
import { useClock } from '../ui/use-clock.js';
import { DebouncedInput } from '../ui/debounced-input.js';
import classes from './audit-log.module.css';
import { DayFilter } from './day-filter.js';
import type { AuditSearch } from './search.js';
import { getSubjectPath } from './entry-path.js';
import { describePolicyChanges } from './policy-changes.js';
import {
  CHANGE_LABELS,
  describeChangedFields,
  describeEntry,
  splitAction,
  SUBJECT_LABELS,
  summarizeEntry,
  getActorName,
} from './labels.js';

const EntryDrawer = lazy(() => import('./entry-drawer.js'));

interface AuditLogProps {
  /** Omit for the instance-wide audit log. */
  projectId?: string;
  timeZone: string;
  search: AuditSearch;
  onSearch: (search: AuditSearch) => void;
}

export function AuditLog({ projectId, timeZone, search, onSearch }: AuditLogProps) {
  const { entry } = search;
  const filters = toFilters(search);
  const query = useInfiniteQuery(auditQuery(projectId, filters, timeZone));
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? [];
  const policyChanges = describePolicyChanges(entries, filters, query.hasNextPage);
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const groups = groupByRequest(entries);
  const hidden = new Set(
    [...groups.values()].flatMap((others) =>
      expanded.has(getRequestId(others[0]!)) ? [] : others.map(({ id }) => id),
    ),
  );
  const openEntry = entries.find(({ id }) => id === entry);
  const { data: projects = [] } = useQuery({ ...projectsQuery, enabled: projectId === undefined });
  const projectNames = new Map(projects.map(({ id, name }) => [id, name]));
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Stack>
      <Filters filters={filters} timeZone={timeZone} onChange={onSearch}>
        <Button component="a" href={auditExportUrl(projectId, filters, timeZone)} download size="xs" variant="default">
          Export
        </Button>
      </Filters>
      {query.isPending && <CardSkeleton rows={12} hasTitle={false} />}
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
          {isFiltered
            ? 'Change or clear the filters to see other entries.'
            : 'Changes appear here, along with who made them.'}
        </EmptyState>
      )}
      {entries.length > 0 && (
        <DataTable
          label="Audit log"
          columns={createColumns(projectId === undefined, projectNames, timeZone, policyChanges, {
            onOpen: (id) => onSearch({ ...filters, entry: id }),
            countOthers: ({ id }) => groups.get(id)?.length ?? 0,
            isExpanded: (row) => expanded.has(getRequestId(row)),
            onToggle: (row) => setExpanded(toggle(expanded, getRequestId(row))),
          })}
          rows={entries.filter(({ id }) => !hidden.has(id))}
          onOpen={({ id }) => onSearch({ ...filters, entry: id })}
          rowKey={({ id }) => id}
          isBusy={query.isPlaceholderData}
          more={query}
          moreLabel="Load older entries"
          phone={['what when', 'who project']}
        />
      )}
      <Suspense>
        {openEntry && (
          <EntryDrawer
            entry={openEntry}
            changes={policyChanges.get(openEntry.id)}
            timeZone={timeZone}
            onClose={() => onSearch(filters)}
          />
        )}
      </Suspense>
    </Stack>
  );
}

/** Number of entries of a request from which only the first is shown, such as the creation of a project. */
const MIN_GROUP = 4;

/** Returns the later entries of requests that made many changes, by the ID of the first. */
function groupByRequest(entries: readonly AuditEntry[]): ReadonlyMap<string, AuditEntry[]> {
  const groups = Map.groupBy(entries, getRequestId);
  return new Map(
    [...groups.values()]
      .filter(({ length }) => length >= MIN_GROUP)
      .map((group) => [group.at(-1)!.id, group.slice(0, -1)]),
  );
}

const getRequestId = ({ actor, id }: AuditEntry): string => actor.request_id ?? id;

const toggle = (ids: ReadonlySet<string>, id: string): ReadonlySet<string> =>
  new Set(ids.has(id) ? [...ids].filter((one) => one !== id) : [...ids, id]);

/** Returns the filters of the URL, without unknown names. */
function toFilters(search: AuditSearch): AuditFilters {
  const { entry: _, subject, change, ...others } = search;
  return {
    ...others,
    ...(isKey(SUBJECT_LABELS, subject) && { subject }),
    ...(isKey(CHANGE_LABELS, change) && { change }),
  };
}

const isKey = <T extends object>(names: T, value: unknown): value is keyof T =>
  typeof value === 'string' && Object.hasOwn(names, value);

interface FiltersProps {
  filters: AuditFilters;
  timeZone: string;
  onChange: (filters: AuditFilters) => void;
  children: ReactNode;
}

function Filters({ filters, timeZone, onChange, children }: FiltersProps) {
  const set = (name: keyof AuditFilters, value: string): void => {
    const { [name]: _, ...others } = filters;
    onChange(value === '' ? others : { ...others, [name]: value });
  };
  return (
    <div role="search" aria-label="Audit log" className={classes['filters']}>
      <DebouncedInput
        size="xs"
        aria-label="Who"
        placeholder="Email or key name"
        leftSection={<Icon name="find" size={14} />}
        value={filters.actor ?? ''}
        onTyped={(value) => set('actor', value)}
      />
      <SmallSelect
        aria-label="What"
        value={filters.subject ?? ''}
        options={[{ value: '', label: 'Everything' }, ...toOptions(SUBJECT_LABELS)]}
        onChange={(value) => set('subject', value)}
      />
      <SmallSelect
        aria-label="Change"
        value={filters.change ?? ''}
        options={[{ value: '', label: 'Any change' }, ...toOptions(CHANGE_LABELS)]}
        onChange={(value) => set('change', value)}
      />
      <DayFilter
        days={filters}
        timeZone={timeZone}
        onChange={(days) => {
          const { from: _from, to: _to, ...others } = filters;
          onChange({ ...others, ...days });
        }}
      />
      {Object.keys(filters).length > 0 && (
        <Button size="compact-sm" variant="subtle" onClick={() => onChange({})}>
          Clear filters
        </Button>
      )}
      <span className={classes['tools']}>{children}</span>
    </div>
  );
}

const toOptions = (words: Record<string, string>) =>
  Object.entries(words)
    .map(([value, label]) => ({ value, label }))
    .toSorted((one, two) => one.label.localeCompare(two.label));

const BREAKABLE = { overflowWrap: 'anywhere' } as const;

interface EntryActions {
  onOpen: (id: string) => void;
  /** Number of other entries that are grouped with this one. */
  countOthers: (entry: AuditEntry) => number;
  isExpanded: (entry: AuditEntry) => boolean;
  onToggle: (entry: AuditEntry) => void;
}

const createColumns = (
  isInstanceLog: boolean,
  projects: ReadonlyMap<string, string>,
  timeZone: string,
  policyChanges: ReadonlyMap<string, string>,
  { onOpen, countOthers, isExpanded, onToggle }: EntryActions,
): readonly TableColumn<AuditEntry>[] => [
  {
    key: 'when',
    label: `When (${timeZone})`,
    isHead: true,
    narrow: { isSoft: true },
    cell: (entry) => <EntryTime time={entry.occurred_at} timeZone={timeZone} />,
    style: { fontWeight: 400 },
  },
  {
    key: 'who',
    label: 'Who',
    cell: (entry) => <span className={classes['who']}>{getActorName(entry)}</span>,
    narrow: { isSoft: true },
  },
  {
    key: 'what',
    label: 'What',
    cell: (entry) => (
      <EntrySummary
        entry={entry}
        changes={policyChanges.get(entry.id) ?? describeChangedFields(entry)}
        isInstanceLog={isInstanceLog}
        onOpen={() => onOpen(entry.id)}
        others={countOthers(entry)}
        isExpanded={isExpanded(entry)}
        onToggle={() => onToggle(entry)}
      />
    ),
    style: BREAKABLE,
  },
  ...(isInstanceLog
    ? [
        {
          key: 'project',
          label: 'Project',
          cell: ({ project_id: id }: AuditEntry) => (id === null ? null : (projects.get(id) ?? 'Deleted project')),
          style: BREAKABLE,
          narrow: { isSoft: true as const },
        },
      ]
    : []),
  { key: 'from', label: 'IP address', cell: ({ actor }) => actor.address, narrow: { isSoft: true } },
];

interface EntrySummaryProps {
  entry: AuditEntry;
  /** Changed fields, or null if the action describes the change. */
  changes: string | null;
  isInstanceLog: boolean;
  onOpen: () => void;
  /** Number of other entries that are grouped with this one. */
  others: number;
  isExpanded: boolean;
  onToggle: () => void;
}

/** Action, which opens the entry, and the name of its subject, which opens the subject's page. */
function EntrySummary({ entry, changes, isInstanceLog, onOpen, others, isExpanded, onToggle }: EntrySummaryProps) {
  const { action, name } = describeEntry(entry);
  const path = getSubjectPath(entry, isInstanceLog);
  // Without a name, the action's object is the link, as in "Published policy".
  const [text, subject] = name === null && path !== null ? splitAction(action) : [action, name];
  return (
    <span className={classes['entry']} data-change={entry.change}>
      <Icon name={CHANGE_ICONS[entry.change]} size={14} />
      <span>
        <UnstyledButton
          className={classes['summary']}
          onClick={onOpen}
          aria-label={`Show details: ${summarizeEntry(entry)}`}
        >
          {text}
        </UnstyledButton>{' '}
        {path === null ? (
          subject !== null && `“${subject}”`
        ) : (
          <TextLink {...toPageLink(path)} inherit className={classes['subject'] ?? ''}>
            {subject}
          </TextLink>
        )}
        {changes !== null && (
          <Text size="xs" c="dimmed">
            {changes}
          </Text>
        )}
        {others > 0 && (
          <UnstyledButton className={classes['more'] ?? ''} aria-expanded={isExpanded} onClick={onToggle}>
            {isExpanded ? 'Show fewer' : `and ${others} more changes at the same time`}
          </UnstyledButton>
        )}
      </span>
    </span>
  );
}

/** Time in the same time zone as the date filters. Shows how long ago it was on hover. */
function EntryTime({ time, timeZone }: { time: string; timeZone: string }) {
  const title = formatRelativeTime(Date.parse(time), useClock());
  return (
    <time dateTime={time} title={title}>
      {formatTime(time, timeZone, { dateStyle: 'medium', timeStyle: 'medium' })}
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
