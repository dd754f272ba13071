import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useHotkeys, useLocalStorage } from '@mantine/hooks';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useRef, useState } from 'react';
import { formErrors } from '../../api/form-errors.js';
import { projectQuery } from '../../api/queries.js';
import { describeRange } from '../../range/describe-range.js';
import { EmptyRange } from '../../range/empty-range.js';
import { RangePicker, RangeTimes } from '../../range/range-picker.js';
import { parseRangeSearch } from '../../range/range.js';
import { useRange, type ShownRange } from '../../range/use-range.js';
import { CardSkeleton } from '../../ui/card-skeleton.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Failure } from '../../ui/failure.js';
import { PageHeader } from '../../ui/page-header.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { preloadComponent } from '../../ui/preload-component.js';
import { TextLink } from '../../ui/text-link.js';
import { FilterBar } from '../../filters/filter-bar.js';
import type { FilterSet } from '../../filters/filter-set.js';
import {
  FILTER_NAMES,
  isFiltered,
  parseFilters,
  replaceFilters,
  toTimelineQuery,
} from '../../filters/visit-filters.js';
import { DEFAULT_COLUMNS, parseColumns, type ColumnName } from '../../visit-table/visit-columns.js';
import classes from '../../visit-table/visit-page.module.css';
import type { VisitTableHandle } from '../../visit-table/visit-table.js';
import { ExportMenu } from './export-menu.js';
import { columnsText, type VisitsSearch } from './search.js';
import { ListActions } from './list-actions.js';
import { totalText } from './total-text.js';
import { VisitChart } from './visit-chart.js';
import { VisitsAnswer } from './visits-answer.js';
import { usePastVisits, useVisitCount } from './use-past-visits.js';

// Starts loading in parallel with the visits.
const table = import('../../visit-table/visit-table.js');
const VisitTable = preloadComponent(table.then(({ VisitTable: component }) => component));
const ColumnsMenu = lazy(() => import('./columns-menu.js'));
const VisitDrawer = lazy(() => import('../../visit-table/drawer/visit-drawer.js'));
const route = getRouteApi('/app/projects/$projectId/visits');

export function VisitsPage() {
  const { projectId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  usePageTitle('Visits', project.name);
  const shown = useFrozenRange(projectId, search);
  const { visits, hasMore, isLoading, error, more, retry } = usePastVisits(projectId, search, shown);
  const total = useVisitCount(projectId, search, shown);
  const [columns, saveColumns] = useColumns(search.columns);
  const { byField, rest } = formErrors(error, FILTER_NAMES);
  const rows = useRef<VisitTableHandle>(null);
  const hasUnknown = project.unknown_visitors !== 'counted';
  const isOpen = search.visit !== undefined;
  const { order = 'newest' } = search;
  // The realtime page has no address filter.
  const { address: _, ...live } = parseFilters({ ...search, visit: undefined });
  const change = (to: Partial<VisitsSearch>, replace = true): void =>
    void navigate({ search: (now) => ({ ...now, ...to }), replace, resetScroll: false });
  const changeFilters = (set: FilterSet): void => change(replaceFilters(set));
  const changeOrder = (to: 'newest' | 'oldest'): void => change({ order: to === 'oldest' ? to : undefined });
  useHotkeys([
    ['j', () => !isOpen && rows.current?.move(1)],
    ['k', () => !isOpen && rows.current?.move(-1)],
  ]);
  const isEmpty = visits.length === 0 && !isLoading && error === null;
  return (
    <div className={classes['page']}>
      <PageHeader
        title="Visits"
        lead={
          <>
            <RangeTimes search={search} shown={shown} onChange={(to) => change(to, false)} />
            {' · '}
            <TextLink to="/projects/$projectId/realtime" params={{ projectId }} search={live} inherit>
              Live visits
            </TextLink>
          </>
        }
        actions={<RangePicker search={search} shown={shown} onChange={(to) => change(to, false)} isCompared />}
      />
      {!hasUnknown && (
        <Text size="sm" c="dimmed">
          Visits by unknown visitors are only counted, so they appear in the overview but not on this page.
        </Text>
      )}
      <FilterBar
        filters={toTimelineQuery(search) as FilterSet}
        onChange={changeFilters}
        visits={visits}
        faults={byField}
      />
      {!isEmpty && <VisitsAnswer projectId={projectId} search={search} shown={shown} hasUnknown={hasUnknown} />}
      {!isEmpty && (
        <VisitChart
          projectId={projectId}
          search={search}
          shown={shown}
          hasUnknown={hasUnknown}
          onNarrow={(to) => change({ ...to, range: undefined }, false)}
          onTable={(isTable) => change({ table: isTable || undefined })}
          onFilters={changeFilters}
        />
      )}
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed" className="numbers" role="status">
          {visits.length === 0 && (isLoading || error !== null)
            ? isLoading && 'Loading'
            : totalText(visits.length, hasMore, total.data)}
        </Text>
        <Group gap="xs">
          <NativeSelect
            hiddenFrom="sm"
            size="xs"
            aria-label="Order"
            value={order}
            onChange={({ currentTarget }) => changeOrder(currentTarget.value as typeof order)}
            data={[
              { value: 'newest', label: 'Newest first' },
              { value: 'oldest', label: 'Oldest first' },
            ]}
          />
          <Suspense>
            <ColumnsMenu
              columns={columns}
              onChange={(selection) => {
                saveColumns(selection);
                change({ columns: columnsText(selection) });
              }}
            />
          </Suspense>
          <ListActions project={project} search={search} shown={shown} first={visits[0]} total={total.data?.visits} />
          <ExportMenu projectId={projectId} filters={search} range={shown} />
        </Group>
      </Group>
      {error !== null && rest !== null && <Failure error={rest} title="Couldn't load the visits" retry={retry} />}
      {visits.length === 0 && isLoading && <CardSkeleton rows={15} hasTitle={false} />}
      {isEmpty && !isFiltered(search) && <EmptyRange projectId={projectId} onChange={(to) => change(to, false)} />}
      {isEmpty && isFiltered(search) && (
        <EmptyState title="No visits in this range match the filters">
          <Stack align="center">
            <Button size="xs" variant="default" onClick={() => changeFilters({})}>
              Clear filters
            </Button>
          </Stack>
        </EmptyState>
      )}
      {visits.length > 0 && (
        <Suspense fallback={<CardSkeleton rows={15} hasTitle={false} />}>
          <VisitTable
            visits={visits}
            timeZone={shown.timeZone}
            open={search.visit}
            columns={columns}
            order={order}
            onOrder={() => changeOrder(order === 'newest' ? 'oldest' : 'newest')}
            project={project}
            handle={rows}
            onEnd={more}
          />
        </Suspense>
      )}
      <Suspense>
        {search.visit !== undefined && (
          <VisitDrawer
            projectId={projectId}
            visitId={search.visit}
            visits={visits}
            range={shown}
            when={describeRange(search)}
            onOpen={(visit) => change({ visit })}
            onEnd={more}
            onClose={() => change({ visit: undefined }, false)}
          />
        )}
      </Suspense>
    </div>
  );
}

const COLUMNS_KEY = 'agent-traffic-visit-columns';

/** Returns the columns from the URL or this browser's storage, and a function that saves a new selection. */
function useColumns(
  columnsParameter: string | undefined,
): [columns: readonly ColumnName[], remember: (columns: readonly ColumnName[]) => void] {
  const [remembered, saveColumns] = useLocalStorage({
    key: COLUMNS_KEY,
    defaultValue: '',
    getInitialValueInEffect: false,
  });
  const columns = parseColumns(columnsParameter) ?? parseColumns(remembered) ?? DEFAULT_COLUMNS;
  return [columns, (selection) => saveColumns(columnsText(selection))];
}

/** Freezes a relative range at the time it was selected. Otherwise it would keep advancing and reload all rows. */
function useFrozenRange(projectId: string, search: VisitsSearch): ShownRange {
  const range = useRange(projectId, search);
  const selection = JSON.stringify([projectId, parseRangeSearch({ ...search }), range.timeZone]);
  const [frozen, setFrozen] = useState({ chosen: selection, range });
  if (frozen.chosen === selection) return frozen.range;
  setFrozen({ chosen: selection, range });
  return range;
}
