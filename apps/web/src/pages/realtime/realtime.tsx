import { Badge, Button, Skeleton, Stack, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { MAX_VISITS_PER_SECOND, type StreamState } from '../../api/visit-stream.js';
import { projectQuery } from '../../api/queries.js';
import { formatCount, formatVisitCount } from '../../format/count.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Failure } from '../../ui/failure.js';
import { Icon } from '../../ui/icon.js';
import { PageHeader } from '../../ui/page-header.js';
import { PipelineNotice } from '../../ui/pipeline-notice.js';
import { preloadComponent } from '../../ui/preload-component.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { TextLink } from '../../ui/text-link.js';
import { FilterBar } from '../../filters/filter-bar.js';
import { toggleFilter, type FilterSet } from '../../filters/filter-set.js';
import { describeRange } from '../../range/describe-range.js';
import { useRange } from '../../range/use-range.js';
import {
  FILTER_NAMES,
  isFiltered,
  replaceFilters,
  toTimelineQuery,
  type Filters,
} from '../../filters/visit-filters.js';
import { Histogram } from './histogram.js';
import { LiveSummary } from './live-summary.js';
import { formatRate } from './rate.js';
import { useVisits } from './use-visits.js';
import type { VisitTableHandle } from '../../visit-table/visit-table.js';
import classes from '../../visit-table/visit-page.module.css';

// Starts loading in parallel with the visits.
const table = import('../../visit-table/visit-table.js');
const VisitTable = preloadComponent(table.then(({ VisitTable: component }) => component));
const VisitDrawer = lazy(() => import('../../visit-table/drawer/visit-drawer.js'));
/** The stream has no address filter. */
const NAMES = FILTER_NAMES.filter((name) => name !== 'address');
const route = getRouteApi('/app/projects/$projectId/realtime');

export function Realtime() {
  const { projectId } = route.useParams();
  const filters: Filters = route.useSearch();
  const navigate = route.useNavigate();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  usePageTitle('Realtime', project.name);
  const [isPaused, setPaused] = useState(false);
  const [isTableHeld, setTableHeld] = useState(false);
  const isOpen = filters.visit !== undefined;
  const isHeld = isPaused || isTableHeld || isOpen;
  const live = useVisits(projectId, filters, isHeld);
  const { rows, release } = live;
  const lastDay = useRange(projectId, {});
  const latest = rows.held[0] ?? rows.shown[0];
  const rowsHandle = useRef<VisitTableHandle>(null);

  // Show the held visits as soon as updates aren't paused, the table is neither scrolled nor focused, and no visit is
  // open.
  useEffect(() => {
    if (!isHeld) release();
  }, [isHeld, release]);
  const change = (changes: Partial<Filters>): void =>
    void navigate({ search: (search) => ({ ...search, ...changes }), replace: true, resetScroll: false });
  const set = toTimelineQuery(filters) as FilterSet;
  const changeFilters = (to: FilterSet): void => change(replaceFilters(to));
  const close = (): void =>
    void navigate({ search: (search) => ({ ...search, visit: undefined }), resetScroll: false });
  const showNew = (): void => {
    release();
    rowsHandle.current?.toTop();
  };
  useHotkeys([
    ['p', () => setPaused((paused) => !paused)],
    ['j', () => !isOpen && rowsHandle.current?.move(1)],
    ['k', () => !isOpen && rowsHandle.current?.move(-1)],
  ]);
  return (
    <div className={classes['page']}>
      <PageHeader
        title="Realtime"
        badge={<LiveBadge state={live.state} isPaused={isPaused} />}
        lead={
          <span className="numbers">
            {latest === undefined ? (
              live.isLoading ? (
                'Loading'
              ) : isFiltered(filters) ? (
                'No matching visits yet'
              ) : (
                'No visits yet'
              )
            ) : (
              <>
                Last {isFiltered(filters) && 'matching '}visit <RelativeTime time={latest.occurred_at} />
              </>
            )}
            {live.perSecond >= 1 && `, ${formatRate(live.perSecond)} a second`}
            {live.total > 0 && `, ${formatVisitCount(live.total)} since you opened this page`}
          </span>
        }
        actions={
          <>
            <TextLink
              to="/projects/$projectId/visits"
              params={{ projectId }}
              search={{ ...filters, visit: undefined }}
              size="sm"
            >
              All visits
            </TextLink>
            {rows.heldCount > 0 && (
              <Button size="xs" leftSection={<Icon name="up" size={14} />} onClick={showNew} className="numbers">
                {formatCount(rows.heldCount)} new
              </Button>
            )}
            <Button
              size="xs"
              variant="default"
              leftSection={<Icon name={isPaused ? 'play' : 'pause'} size={14} />}
              onClick={() => setPaused(!isPaused)}
              aria-pressed={isPaused}
            >
              {isPaused ? 'Resume' : 'Pause'}
            </Button>
          </>
        }
      />
      {project.unknown_visitors === 'counted' && (
        <Text size="sm" c="dimmed">
          Visits by unknown visitors are only counted. They’re included in the overview but not listed on this page.
        </Text>
      )}
      <FilterBar filters={set} onChange={changeFilters} names={NAMES} visits={rows.shown} />
      <Histogram
        projectId={projectId}
        timeZone={project.time_zone}
        filters={filters}
        // At high rates, refetching the last hour is slow, and a few missing visits aren't noticeable.
        receivedCount={live.perSecond > MAX_VISITS_PER_SECOND ? 0 : live.total}
        onFilter={(result, isExcluded) =>
          changeFilters(toggleFilter(set, { key: isExcluded ? 'not_result' : 'result', value: result }))
        }
      />
      {live.error !== null && <Failure error={live.error} title="Couldn't load the visits" retry={live.retry} />}
      {rows.shown.length === 0 && !live.isLoading && live.error === null ? (
        <>
          <PipelineNotice />
          <NoVisits projectId={projectId} filters={filters} state={live.state} clear={() => changeFilters({})} />
        </>
      ) : (
        <Suspense fallback={<Skeleton h={320} animate={false} />}>
          <VisitTable
            visits={rows.shown}
            timeZone={project.time_zone}
            open={filters.visit}
            onHold={setTableHeld}
            handle={rowsHandle}
            newIds={rows.newIds}
            project={project}
          />
        </Suspense>
      )}
      {live.skipped > 0 && (
        <Text size="xs" c="dimmed" className="numbers">
          {formatCount(live.skipped)} visits{isFiltered(filters) ? ' that match the filters' : ''} were counted but not
          listed because more than {MAX_VISITS_PER_SECOND} arrived per second.
        </Text>
      )}
      <LiveSummary visits={rows.shown} isHeld={isHeld} />
      <Suspense>
        {filters.visit !== undefined && (
          <VisitDrawer
            projectId={projectId}
            visitId={filters.visit}
            visits={[...rows.held, ...rows.shown]}
            range={lastDay}
            when={describeRange({})}
            onOpen={(visit) => change({ visit })}
            onClose={close}
          />
        )}
      </Suspense>
    </div>
  );
}

const NOT_LIVE: Record<Exclude<StreamState, 'live'>, string> = {
  connecting: 'Connecting',
  lost: 'Connection lost, reconnecting',
  refused: 'Too many live pages, retrying',
};

function LiveBadge({ state, isPaused }: { state: StreamState; isPaused: boolean }) {
  const [color, label] = isPaused
    ? ['var(--open)', 'Paused']
    : state === 'live'
      ? ['var(--verified)', 'Live']
      : ['var(--failed)', NOT_LIVE[state]];
  return (
    <Badge variant="outline" color="gray" c={color} tt="none" role="status">
      {label}
    </Badge>
  );
}

interface NoVisitsProps {
  projectId: string;
  filters: Filters;
  state: StreamState;
  clear: () => void;
}

function NoVisits({ projectId, filters, state, clear }: NoVisitsProps) {
  if (state === 'refused') {
    return (
      <EmptyState title="Too many live pages are open">
        Close one, and this page reconnects automatically. No reported visits are lost.
      </EmptyState>
    );
  }
  if (state === 'lost') {
    return <EmptyState title="Connection lost">Reconnecting automatically. No reported visits are lost.</EmptyState>;
  }
  if (isFiltered(filters)) {
    return (
      <EmptyState title="No visits match the filters">
        <Stack align="center" gap="xs">
          Matching visits appear here as they are reported.
          <Button size="xs" variant="default" onClick={clear}>
            Clear filters
          </Button>
        </Stack>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No visits yet">
      Visits appear here as they are reported.{' '}
      <TextLink to="/projects/$projectId/get-started" params={{ projectId }}>
        How to report visits
      </TextLink>
    </EmptyState>
  );
}
