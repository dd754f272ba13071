import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { summariesQuery } from '../../api/queries.js';
import { overviewQuery, type NewsItem } from '../../api/statistics.js';
import { FilterBar } from '../../filters/filter-bar.js';
import { isFiltered, type FilterSet } from '../../filters/filter-set.js';
import { UnknownVisitorsSwitch } from '../../filters/unknown-visitors-switch.js';
import { usePageFilters } from '../../filters/use-page-filters.js';
import { agentLink, agentsLink, listLink } from '../../range/list-link.js';
import { formatTime } from '../../format/time.js';
import { describeComparison } from '../../range/comparison.js';
import { linkedRange, type LinkedRange } from '../../range/range.js';
import { RangePage } from '../../range/range-page.js';
import { RangeSkeleton } from '../../range/range-skeleton.js';
import { useRangePage } from '../../range/use-range-page.js';
import { EmptyState } from '../../ui/empty-state.js';
import { TextLink } from '../../ui/text-link.js';
import { VIEWS } from '../../charts/chart-view.js';
import { FilteredAnswer } from './filtered-answer.js';
import { Headline } from './headline.js';
import { NextStep } from './next-step.js';
import { OverviewAnswer } from './overview-answer.js';
import { HEIGHT_PX, OverviewChart, toChartSearch } from './overview-chart.js';
import { SampleNote } from './sample-note.js';
import { visitFilters, type OverviewSearch } from './search.js';
import { useFilteredCause } from './use-filtered-cause.js';
import { useSpikes } from './use-spikes.js';
import newsClasses from './whats-new.module.css';
import { linkToCause, listNews, useNews, WhatsNew } from './whats-new.js';

// Loads in parallel with the data. The lists are below the first screen.
const topLists = import('./top-lists.js').then((module) => ({ default: module.TopLists }));
const TopLists = lazy(() => topLists);

const route = getRouteApi('/app/projects/$projectId/overview');

export function OverviewPage() {
  const { project, projectId, search, shown, change, head } = useRangePage<OverviewSearch>('Overview', route);
  const filters = usePageFilters('/projects/$projectId/overview', projectId, search);
  const isUnknownMatched = filters.set.result?.includes('unknown_agent') ?? false;
  const hasUnknown = search.unknown === true || isUnknownMatched;
  // Filters that unknown visitors can't match.
  const { agent, type, operator, result } = filters.set;
  const isAboutAgents = [agent, type, operator, result].some((values) => values !== undefined);
  const visitors = hasUnknown ? 'all' : 'agents';
  const view = search.chart ?? 'type';
  const { breakdown } = VIEWS[view];
  const query = overviewQuery(projectId, shown, { ...(filters.set as object), visitors, breakdown });
  const overviewAnswer = useQuery(query);
  const { spikes, isPending } = useSpikes(projectId, isFiltered(filters.set) ? undefined : overviewAnswer.data);
  const newsAnswer = useNews(isPending ? { ...overviewAnswer, data: undefined } : overviewAnswer, projectId, shown);
  const { news, recent } = newsAnswer;
  const filtered = useFilteredCause({
    projectId,
    shown,
    filters: filters.set,
    hasUnknown,
    overview: overviewAnswer.data,
    news: news?.items ?? [],
  });
  const answer = filtered.isPending ? { ...newsAnswer.answer, data: undefined } : newsAnswer.answer;
  const before = describeComparison(search, shown.timeZone);
  const { data: summaries } = useQuery({ ...summariesQuery, refetchInterval: false });
  const firstVisitAt = summaries?.find(({ project_id: id }) => id === projectId)?.first_visit_at ?? null;
  const linkToVisits = (set: FilterSet, range = linkedRange(search, shown)) =>
    listLink(projectId, range)(visitFilters(set, hasUnknown));
  return (
    <RangePage
      {...head}
      answer={answer}
      isCompared
      errorTitle="Couldn't load the overview"
      isEmpty={({ current }) => current.visits === 0 && !isFiltered(filters.set)}
      skeleton={<RangeSkeleton head={{ base: 400, sm: 270, lg: 145 }} chart={HEIGHT_PX} />}
      filters={
        <FilterBar filters={filters.set} onChange={filters.change} chipsRef={filters.chips}>
          {isFiltered(filters.set) && overviewAnswer.data?.current.visits !== 0 && (
            <TextLink {...linkToVisits(filters.set)} size="sm">
              Show these visits
            </TextLink>
          )}
        </FilterBar>
      }
    >
      {(overview) => {
        const range = linkedRange(search, overview);
        if (isFiltered(filters.set) && overview.current.visits + overview.previous.visits === 0) {
          return <EmptyState title="No visits match the filters">Remove a filter or choose another range.</EmptyState>;
        }
        return (
          <Stack>
            {isFiltered(filters.set) ? (
              overview.current.visits > 0 && (
                <FilteredAnswer
                  overview={overview}
                  cause={filtered.cause}
                  hasUnknown={hasUnknown}
                  isCompared={before !== null}
                  toAgentLink={(agentId) => agentLink(projectId, agentId, range)}
                  toVisitsLink={(more) => linkToVisits({ ...filters.set, ...more }, range)}
                  nextStep={
                    news !== null && (
                      <NextStep
                        project={project}
                        subject={filtered.cause?.network ?? null}
                        {...listNews({
                          news: { ...news, items: news.items.filter((item) => isAbout(item, filtered.cause?.network)) },
                          recent: null,
                          projectId,
                          linked: range,
                        })}
                      />
                    )
                  }
                />
              )
            ) : (
              <>
                <OverviewAnswer
                  projectId={projectId}
                  overview={overview}
                  news={news?.items ?? []}
                  spikes={spikes}
                  isCompared={before !== null}
                  timeZone={shown.projectZone}
                  toCauseLink={(cause, causeRange = range) => linkToCause(cause, projectId, causeRange)}
                  toNextStep={(subject) =>
                    news !== null && (
                      <NextStep
                        project={project}
                        subject={subject}
                        {...listNews({ news, recent, projectId, linked: range })}
                      />
                    )
                  }
                />
                <WhatsNew
                  project={project}
                  news={news}
                  recent={recent}
                  spikes={spikes}
                  overview={overview}
                  timeZone={shown.timeZone}
                  linked={range}
                  before={before}
                />
              </>
            )}
            <SampleNote sample={overview.sample} isOnlyCounted={project.unknown_visitors === 'counted'} />
            {isFiltered(filters.set) && overview.current.visits === 0 && (
              <Text role="status">No visits in this range match the filters.</Text>
            )}
            <div>
              <Headline
                overview={overview}
                links={{
                  visits: (more) => linkToVisits({ ...filters.set, ...more }, range),
                  agents: getAgentsLink(projectId, range, filters.set),
                }}
                before={before}
                firstDay={firstVisitAt && formatTime(firstVisitAt, shown.timeZone, { dateStyle: 'medium' })}
                hasUnknown={hasUnknown}
                unknownSwitch={
                  (hasUnknown ? !isUnknownMatched : !isAboutAgents) && (
                    <UnknownVisitorsSwitch
                      isOn={hasUnknown}
                      onChange={(isOn) => change({ unknown: isOn || undefined }, true)}
                    />
                  )
                }
                filters={filters.set}
                chart={{ view, onSelect: (to) => change(toChartSearch(to), true) }}
              />
            </div>
            <OverviewChart
              overview={overview}
              search={{ ...search, unknown: hasUnknown || undefined }}
              change={change}
              filters={filters}
              zones={{ projectZone: shown.projectZone, timeZone: shown.timeZone }}
              before={before}
              spikes={spikes}
            />
            <div className={newsClasses['below']}>
              <Text size="xs" c="dimmed" mb="xs">
                Click a row to filter, or Alt-click to exclude. Click a number to show its visits
                {overview.current.agents > 1 && ', or the arrow for an agent’s details'}.
              </Text>
              <Suspense fallback={<Skeleton h={350} animate={false} />}>
                <TopLists
                  overview={overview}
                  links={{
                    row: (key, value) => ({
                      ...filters.row(key, value),
                      visitsLink: linkToVisits({ ...filters.set, [key]: [value] }, range),
                    }),
                    agent: (agentId) => agentLink(projectId, agentId, range),
                  }}
                  before={before}
                  hasUnknown={hasUnknown}
                />
              </Suspense>
            </div>
          </Stack>
        );
      }}
    </RangePage>
  );
}

const isAbout = (item: NewsItem, network: string | undefined): boolean => 'network' in item && item.network === network;

/**
 * Returns a link to the agents counted on the page, or undefined if the agent list doesn't support the same filters.
 */
function getAgentsLink(projectId: string, range: LinkedRange, { type, ...others }: FilterSet) {
  const [only, ...more] = type ?? [];
  return isFiltered(others) || more.length > 0 ? undefined : agentsLink(projectId, range, only);
}
