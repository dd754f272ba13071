import { Button, Card, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { Project } from '../../api/client.js';
import { journeySummaryQuery, type JourneySummary } from '../../api/journeys.js';
import { toComparedSeries } from '../../charts/chart.js';
import { formatBusySpan } from '../../charts/busy-span.js';
import { toSelectedRange } from '../../charts/selected-range.js';
import { TimeChart } from '../../charts/time-chart.js';
import { formatCount } from '../../format/count.js';
import { describeComparison, toComparedRange } from '../../range/comparison.js';
import { describeRange } from '../../range/describe-range.js';
import { linkedRange, type Range } from '../../range/range.js';
import type { ShownRange } from '../../range/use-range.js';
import { RangePage } from '../../range/range-page.js';
import { RangeSkeleton } from '../../range/range-skeleton.js';
import { useRangePage } from '../../range/use-range-page.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Section } from '../../ui/section.js';
import { Segments } from '../../ui/segments.js';
import { JourneysAnswer } from './answer.js';
import { JourneyFilters } from './filters.js';
import type { JourneysSearch, SessionList } from './search.js';
import { getSessionList, isFiltered, NO_FILTERS, selectsDeadEnds, toJourneyFilters } from './session-filters.js';
import { findDeadEndCause } from './dead-end-cause.js';
import { Sessions, type Outage } from './sessions.js';
import { TopLists } from './top-lists.js';

const SessionDrawer = lazy(() => import('./session-drawer.js'));
const SERIES = [
  { key: 'dead_ends', label: 'With a dead end', color: 'var(--bar-failed)' },
  { key: 'others', label: 'Without dead ends', color: 'var(--bar-verified)' },
];
const route = getRouteApi('/app/projects/$projectId/journeys');

/** Sessions of visitors that act at a person's request, and where they start, end and get stuck. */
export function JourneysPage() {
  const { project, projectId, search, shown, change, head } = useRangePage<JourneysSearch>('Journeys', route);
  const filters = toJourneyFilters(search);
  const answer = useQuery(journeySummaryQuery(projectId, shown, filters));
  const compared = toComparedRange(shown);
  const earlier = useQuery({
    ...journeySummaryQuery(projectId, compared ?? shown, filters),
    enabled: compared !== null,
  });
  const previous = earlier.data;
  const before = describeComparison(search, shown.timeZone);
  return (
    <>
      <RangePage
        {...head}
        // The sentence would change once the comparison has loaded.
        answer={compared !== null && earlier.isPending ? { ...answer, data: undefined } : answer}
        isCompared
        coveredFrom={answer.data && !isComplete(answer.data) ? answer.data.computed_from : undefined}
        errorTitle="Couldn't load the sessions"
        skeleton={<RangeSkeleton head={60} />}
        filters={<JourneyFilters search={search} onChange={(to) => change(to, true)} />}
      >
        {(summary) =>
          summary.sessions === 0 ? (
            <NoSessions project={project} search={search} onClear={() => change(NO_FILTERS)} />
          ) : (
            <Stack>
              <JourneysAnswer
                summary={summary}
                previous={previous && isComplete(previous) ? previous : undefined}
                before={before}
                search={search}
                shown={shown}
                when={describeRange(search)}
              />
              <Card withBorder>
                <TimeChart
                  title="Sessions over time"
                  series={SERIES}
                  items={summary.series.map(toItem)}
                  times={{ bucket: summary.bucket, projectZone: shown.projectZone, timeZone: shown.timeZone }}
                  range={summary}
                  {...(isComplete(summary)
                    ? previous &&
                      isComplete(previous) && { comparison: toComparedSeries(before, previous.series.map(toItem)) }
                    : { unknownUntil: summary.computed_from })}
                  onNarrow={(range) => change({ ...range, range: undefined })}
                  isTable={search.table ?? false}
                  onTable={(isTable) => change({ table: isTable || undefined }, true)}
                />
              </Card>
              <TopLists summary={summary} search={search} />
              <Section
                title="Sessions"
                actions={
                  <Segments
                    label="Listed sessions"
                    options={getListOptions(search, summary)}
                    value={getSessionList(search, summary)}
                    onChange={(list) => change({ list }, true)}
                  />
                }
              >
                <Sessions
                  project={project}
                  search={search}
                  shown={shown}
                  list={getSessionList(search, summary)}
                  outage={findOutage(summary, shown, (range) =>
                    change({ ...range, range: undefined, list: undefined, deadEndCause: '5xx' }),
                  )}
                  onOpen={(session) => change({ session })}
                />
              </Section>
              <UnknownVisitorsNote project={project} />
            </Stack>
          )
        }
      </RangePage>
      <Suspense>
        {search.session !== undefined && (
          <SessionDrawer
            projectId={projectId}
            id={search.session}
            linked={linkedRange(search, shown)}
            timeZone={shown.timeZone}
            onClose={() => change({ session: undefined })}
          />
        )}
      </Suspense>
    </>
  );
}

/** Minimum number of sessions that are summed up in a line. */
const MIN_OUTAGE_SESSIONS = 3;

function findOutage(summary: JourneySummary, shown: ShownRange, onShow: (range: Range) => void): Outage | null {
  const cause = findDeadEndCause(summary, shown);
  if (cause?.span == null || cause.error !== 'server' || cause.sessions < MIN_OUTAGE_SESSIONS) return null;
  const { span, sessions, starts, times } = cause;
  const range = toSelectedRange(starts, span.first, span.last, summary);
  return { range, when: formatBusySpan(span, starts, times), sessions, onShow: () => onShow(range) };
}

const toItem = ({ time, sessions, dead_end_sessions: deadEnds }: JourneySummary['series'][number]) => ({
  time,
  values: { dead_ends: deadEnds, others: sessions - deadEnds },
});

/** Returns true if the sessions of the entire range were analyzed. */
const isComplete = ({ from, computed_from: computedFrom }: JourneySummary): boolean => from === computedFrom;

/** Returns the lists of sessions to choose from, with their sizes if these are known. */
function getListOptions(search: JourneysSearch, summary: JourneySummary): { value: SessionList; label: string }[] {
  const addCount = (label: string, count: number): string =>
    isComplete(summary) ? `${label} ${formatCount(count)}` : label;
  return [
    ...(selectsDeadEnds(search) || search.deadEnd !== undefined
      ? []
      : [{ value: 'dead-ends' as const, label: addCount('Dead ends', summary.dead_end_sessions) }]),
    { value: 'several', label: 'Several visits' },
    { value: 'all', label: addCount('All', summary.sessions) },
  ];
}

interface NoSessionsProps {
  project: Project;
  search: JourneysSearch;
  onClear: () => void;
}

function NoSessions({ project, search, onClear }: NoSessionsProps) {
  return isFiltered(search) ? (
    <EmptyState title="No sessions match">
      <Button size="xs" variant="default" onClick={onClear}>
        Clear filters
      </Button>
    </EmptyState>
  ) : (
    <EmptyState title="No sessions in this range">
      Agents that act at a person’s request, coding agents, MCP clients and unknown programs have sessions. Crawlers
      don’t, because they spread their requests over many addresses.
      <UnknownVisitorsNote project={project} />
    </EmptyState>
  );
}

function UnknownVisitorsNote({ project }: { project: Project }) {
  const { unknown_visitors: unknown } = project;
  if (unknown === 'kept') return null;
  return (
    <Text size="sm" c="dimmed">
      {unknown === 'counted'
        ? 'This project only counts unknown visitors, so they have no sessions.'
        : 'This project doesn’t store addresses of unknown visitors, so programs with the same User-Agent can’t be distinguished.'}
    </Text>
  );
}
