import { Button, Card, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { Project } from '../../api/client.js';
import { journeySummaryQuery, type JourneySummary } from '../../api/journeys.js';
import { getItemEnd, type ChartTimes } from '../../charts/chart-times.js';
import { TimeChart } from '../../charts/time-chart.js';
import { describeRange } from '../../range/describe-range.js';
import { linkedRange } from '../../range/range.js';
import { RangePage } from '../../range/range-page.js';
import { RangeSkeleton } from '../../range/range-skeleton.js';
import { useRangePage } from '../../range/use-range-page.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Section } from '../../ui/section.js';
import { SmallSwitch } from '../../ui/small-switch.js';
import { JourneysAnswer } from './answer.js';
import { JourneyFilters } from './filters.js';
import { isFiltered, NO_FILTERS, toJourneyFilters, type JourneysSearch } from './search.js';
import { Sessions } from './sessions.js';
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
  const answer = useQuery(journeySummaryQuery(projectId, shown, toJourneyFilters(search)));
  return (
    <>
      <RangePage
        {...head}
        answer={answer}
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
                projectId={projectId}
                summary={summary}
                linked={linkedRange(search, shown)}
                shown={shown}
                when={describeRange(search)}
              />
              <Card withBorder>
                <TimeChart
                  title="Sessions"
                  series={SERIES}
                  {...getAnalyzed(summary, {
                    bucket: summary.bucket,
                    projectZone: shown.projectZone,
                    timeZone: shown.timeZone,
                  })}
                  onNarrow={(range) => change({ ...range, range: undefined })}
                  isTable={search.table ?? false}
                  onTable={(isTable) => change({ table: isTable || undefined }, true)}
                />
              </Card>
              <TopLists projectId={projectId} linked={linkedRange(search, shown)} summary={summary} search={search} />
              <Section
                title="Sessions"
                actions={
                  <SmallSwitch
                    isOn={search.single ?? false}
                    onChange={(isOn) => change({ single: isOn || undefined }, true)}
                  >
                    Include single visits
                  </SmallSwitch>
                }
              >
                <Sessions project={project} search={search} shown={shown} onOpen={(session) => change({ session })} />
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

/** Returns the part of the chart whose sessions were analyzed. It can start after the range does. */
const getAnalyzed = ({ series, computed_from: from, to }: JourneySummary, times: ChartTimes) => ({
  items: series
    .filter(({ time }) => getItemEnd(time, times) > Date.parse(from))
    .map(({ time, sessions, dead_end_sessions: deadEnds }) => ({
      time,
      values: { dead_ends: deadEnds, others: sessions - deadEnds },
    })),
  times,
  range: { from, to },
});

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
