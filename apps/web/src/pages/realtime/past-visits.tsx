import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useRef } from 'react';
import { formErrors } from '../../api/form-errors.js';
import { projectQuery } from '../../api/queries.js';
import { NothingInRange } from '../../range/nothing-in-range.js';
import { RangePicker } from '../../range/range-picker.js';
import { resolveRange, type RangeSearch } from '../../range/range.js';
import { useRange } from '../../range/use-range.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Failure } from '../../ui/failure.js';
import { usePageTitle } from '../../ui/page-title.js';
import { useSlashKey } from '../../ui/slash-key.js';
import { TextLink } from '../../ui/text-link.js';
import { ExportLinks } from './export-links.js';
import { FilterBar, NO_FILTERS } from './filter-bar.js';
import { FILTER_NAMES, isFiltered, type Filters } from './filters.js';
import classes from './realtime.module.css';
import { usePastVisits } from './use-past-visits.js';
import { VisitTable, type VisitTableHandle } from './visit-table.js';

const VisitDrawer = lazy(() => import('./drawer/visit-drawer.js'));
const route = getRouteApi('/app/projects/$projectId/realtime');

/** The visits of a range, which stay as they are. */
export default function PastVisits() {
  const { projectId } = route.useParams();
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  usePageTitle('Visits', project.name);
  const shown = useRange(projectId, filters);
  const { visits, hasMore, isLoading, error, more, retry } = usePastVisits(projectId, filters, shown);
  const { byField, rest } = formErrors(error, FILTER_NAMES);
  const table = useRef<VisitTableHandle>(null);
  const firstField = useSlashKey();
  const isOpen = filters.visit !== undefined;
  const change = (to: Partial<Filters>, replace = true): void =>
    void navigate({ search: (search) => ({ ...search, ...to }), replace, resetScroll: false });
  const changeRange = (to: Partial<RangeSearch>): void => {
    const { range, zone } = { ...filters, ...to };
    const isPreset = to.range !== undefined;
    const { from, to: end } = isPreset ? resolveRange({ range }, Date.now()) : { ...shown, ...to };
    change({ from, to: end, zone }, false);
  };
  useHotkeys([
    ['j', () => !isOpen && table.current?.move(1)],
    ['k', () => !isOpen && table.current?.move(-1)],
  ]);
  return (
    <div className={classes['page']}>
      <Group justify="space-between" align="start" gap="xs">
        <div>
          <Title order={1}>Visits</Title>
          <TextLink to="/projects/$projectId/realtime" params={{ projectId }} search={live(filters)} size="sm">
            Back to live visits
          </TextLink>
        </div>
        <RangePicker search={filters} shown={shown} onChange={changeRange} />
      </Group>
      <FilterBar filters={filters} onChange={change} visits={visits} faults={byField} firstField={firstField} />
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed" className="numbers" role="status">
          {visits.length === 0 && (isLoading || error !== null)
            ? isLoading && 'Reading'
            : `${visits.length.toLocaleString('en')} visits${hasMore ? ' so far; scroll for more' : ''}`}
        </Text>
        <Group gap="xs">
          <ExportLinks projectId={projectId} filters={filters} range={shown} />
        </Group>
      </Group>
      {error !== null && rest !== null && <Failure error={rest} title="The visits can't be shown" retry={retry} />}
      {visits.length === 0 && isLoading && <Skeleton h={320} animate={false} />}
      {visits.length === 0 && !isLoading && error === null && !isFiltered(filters) && (
        <NothingInRange projectId={projectId} onChange={changeRange} />
      )}
      {visits.length === 0 && !isLoading && error === null && isFiltered(filters) && (
        <EmptyState title="No visits in this range match the filters">
          <Stack align="center">
            <Button size="xs" variant="default" onClick={() => change(NO_FILTERS)}>
              Clear filters
            </Button>
          </Stack>
        </EmptyState>
      )}
      {visits.length > 0 && (
        <VisitTable visits={visits} timeZone={shown.timeZone} open={filters.visit} handle={table} onEnd={more} />
      )}
      <Suspense>
        {filters.visit !== undefined && (
          <VisitDrawer
            projectId={projectId}
            visitId={filters.visit}
            known={visits.find(({ id }) => id === filters.visit)}
            timeZone={shown.timeZone}
            onClose={() => change({ visit: undefined }, false)}
          />
        )}
      </Suspense>
    </div>
  );
}

/** The same filters, without the range and what goes with it. */
const live = (filters: Filters): Filters => ({
  ...filters,
  from: undefined,
  to: undefined,
  zone: undefined,
  address: undefined,
  visit: undefined,
});
