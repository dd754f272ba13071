import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { loadQuery, loadSeriesQuery, type LoadReport } from '../../api/load.js';
import { summariesQuery } from '../../api/queries.js';
import { FilterBar } from '../../filters/filter-bar.js';
import { excludeUnknown, isFiltered } from '../../filters/filter-set.js';
import { UnknownVisitorsSwitch } from '../../filters/unknown-visitors-switch.js';
import { usePageFilters } from '../../filters/use-page-filters.js';
import { toFilters } from '../../filters/visit-filters.js';
import { formatCount, formatLongCount } from '../../format/count.js';
import { getMonthlyFactor, listUnreported } from '../../load/load-text.js';
import { usePeopleSent } from '../../load/people-sent.js';
import { listLink } from '../../range/list-link.js';
import { describeComparison, toComparedRange } from '../../range/comparison.js';
import { linkedRange } from '../../range/range.js';
import { RangePage } from '../../range/range-page.js';
import { RangeSkeleton } from '../../range/range-skeleton.js';
import { useRangePage } from '../../range/use-range-page.js';
import { CardSkeleton } from '../../ui/card-skeleton.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Failure } from '../../ui/failure.js';
import { TextLink } from '../../ui/text-link.js';
import { useClock } from '../../ui/use-clock.js';
import { findBusyHours } from './busy-hours.js';
import { Headline } from './headline.js';
import { useImpostors } from './impostor-load.js';
import { LoadChart } from './load-chart.js';
import { listMeasures } from './measures.js';
import { getVisitFilters } from './rows.js';
import { PAGE_SIZE, type LoadSearch } from './search.js';

const LoadTabs = lazy(() => import('./load-tabs.js'));
const route = getRouteApi('/app/projects/$projectId/load');
const LIST = new Intl.ListFormat('en-US', { type: 'disjunction' });

export function LoadPage() {
  const { project, projectId, search, shown, change, head } = useRangePage<LoadSearch>('Load', route);
  const filters = usePageFilters('/projects/$projectId/load', projectId, search);
  const hasUnknown = search.unknown ?? false;
  const counted = hasUnknown ? filters.set : excludeUnknown(filters.set);
  const answer = useQuery(loadQuery(projectId, shown, { by: 'agent', ...(counted as object) }));
  const series = useQuery(loadSeriesQuery(projectId, shown, counted as object));
  const compared = toComparedRange(shown);
  const { data: previous, isLoading: isComparing } = useQuery({
    ...loadSeriesQuery(projectId, compared ?? shown, counted as object),
    enabled: compared !== null,
  });
  const impostors = useImpostors({
    projectId,
    shown,
    linked: linkedRange(search, shown),
    filters: filters.set,
    counted,
  });
  const people = usePeopleSent(projectId, shown);
  const before = describeComparison(search, shown.timeZone);
  const { data: summaries } = useQuery({ ...summariesQuery, refetchInterval: false });
  const firstVisitAt = summaries?.find(({ project_id: id }) => id === projectId)?.first_visit_at ?? null;
  const now = useClock();
  return (
    <RangePage
      {...head}
      // Waits for everything above the table, so that the page loads in its final shape.
      answer={{ ...answer, data: series.isPending || people.isPending || isComparing ? undefined : answer.data }}
      isCompared
      errorTitle="Couldn't load the page"
      isEmpty={({ total }) => total.requests === 0 && !isFiltered(filters.set)}
      skeleton={<RangeSkeleton head={{ base: 440, sm: 220 }} rows={PAGE_SIZE} />}
      filters={
        <FilterBar filters={filters.set} onChange={filters.change} chipsRef={filters.chips}>
          <UnknownVisitorsSwitch isOn={hasUnknown} onChange={(isOn) => change({ unknown: isOn || undefined }, true)} />
        </FilterBar>
      }
    >
      {(report) => {
        const linked = linkedRange(search, report);
        const mark = (text: string): string => (report.sample === null ? text : `≈ ${text}`);
        const { total } = report;
        if (total.requests === 0) {
          return <EmptyState title="No visits match the filters">Remove a filter or choose another range.</EmptyState>;
        }
        const measures = listMeasures(total, project);
        const measure = measures.find((name) => name === search.measure) ?? measures[0]!;
        const times = { projectZone: shown.projectZone, timeZone: shown.timeZone };
        const busy = series.data === undefined ? null : findBusyHours({ project, measure, load: series.data, times });
        return (
          <Stack>
            <Headline
              project={project}
              report={report}
              people={people.sent}
              impostors={impostors}
              monthlyFactor={
                report.not_stored === 0
                  ? getMonthlyFactor({ from: report.from, to: report.to, firstVisitAt, now })
                  : null
              }
              linked={linked}
              toVisitsLink={(agent, range = linked) =>
                listLink(
                  projectId,
                  range,
                )(toFilters((agent && getVisitFilters('agent', agent, counted, project.path_patterns)) ?? counted))
              }
              measure={measure}
              measures={measures}
              onMeasure={(selected) => change({ measure: selected }, true)}
              load={series.data}
              previous={previous}
              before={before}
              times={times}
              busy={busy}
              mark={mark}
            />
            <DataNotes report={report} projectId={projectId} />
            {series.data !== undefined && (
              <LoadChart
                {...{ project, search, shown, previous, before, measure, busy }}
                load={series.data}
                onChange={change}
              />
            )}
            {series.isError && (
              <Failure error={series.error} title="Couldn't load the chart" retry={() => void series.refetch()} />
            )}
            <Suspense fallback={<CardSkeleton rows={PAGE_SIZE} />}>
              <LoadTabs
                by={search.by ?? 'agent'}
                people={people.sent}
                {...{ project, shown, linked, counted, filters, measure }}
              />
            </Suspense>
          </Stack>
        );
      }}
    </RangePage>
  );
}

/** Notes what the numbers leave out. */
function DataNotes({ report, projectId }: { report: LoadReport; projectId: string }) {
  const { total, sample, not_stored: missing } = report;
  const unreported = listUnreported(total);
  const isMixed = total.body_requests > 0 && total.sent_requests > 0;
  const notes = [
    sample !== null &&
      `Estimated from ${formatCount(sample.visits_read)} of ${formatLongCount(sample.visits)} visits. Peaks, 95th percentiles and repeats can’t be estimated.`,
    missing !== null &&
      missing > 0 &&
      `Excludes ${formatLongCount(missing)} ${missing === 1 ? 'visit that isn’t' : 'visits that aren’t'} stored anymore.`,
    isMixed &&
      `The sizes of ${formatCount(total.sent_requests)} responses include headers, those of ${formatCount(total.body_requests)} only the body.`,
    unreported.length > 0 && `No source in this range reports ${LIST.format(unreported)}.`,
  ].filter((note) => note !== false);
  if (notes.length === 0) return null;
  return (
    <Text size="sm" c="dimmed" role="note">
      {notes.join(' ')}
      {unreported.length > 0 && (
        <>
          {' '}
          <TextLink to="/projects/$projectId/get-started" params={{ projectId }} inherit>
            Learn how to report visits
          </TextLink>
        </>
      )}
    </Text>
  );
}
