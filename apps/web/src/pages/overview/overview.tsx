import { Button, Card, Group, SegmentedControl, Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { summariesQuery } from '../../api/queries.js';
import { overviewQuery, type Overview } from '../../api/statistics.js';
import { toComparedSeries } from '../../charts/chart.js';
import { TimeChart } from '../../charts/time-chart.js';
import { OTHER_SERIES, buildTypeSeries, UNKNOWN_SERIES } from '../../charts/type-series.js';
import { FilterChips } from '../../filters/filter-chips.js';
import { isFiltered, type FilterSet } from '../../filters/filter-set.js';
import { agentLink, agentsLink, listLink } from '../../range/list-link.js';
import { describeComparison } from '../../range/comparison.js';
import { linkedRange, type LinkedRange } from '../../range/range.js';
import { RangePage } from '../../range/range-page.js';
import { RangeSkeleton } from '../../range/range-skeleton.js';
import { useRangePage } from '../../range/use-range-page.js';
import { SavedFilters } from '../../saved-filters/saved-filters.js';
import { EmptyState } from '../../ui/empty-state.js';
import { TextLink } from '../../ui/text-link.js';
import { AGENT_TYPES } from '../../ui/agent-types.js';
import { Headline } from './headline.js';
import { SampleNote } from './sample-note.js';
import { visitFilters, type OverviewSearch } from './search.js';
import { TopLists } from './top-lists.js';
import { useOverviewFilters, type OverviewFilters } from './use-overview-filters.js';
import { useNews, WhatsNew } from './whats-new.js';

const COMBINED = 'Combined';
const SEPARATE = 'Separate';
const route = getRouteApi('/app/projects/$projectId/overview');

export function OverviewPage() {
  const { project, projectId, search, shown, change, head } = useRangePage<OverviewSearch>('Overview', route);
  const filters = useOverviewFilters(projectId, search);
  const hasUnknown = search.unknown ?? false;
  const visitors = hasUnknown ? 'all' : 'agents';
  const query = overviewQuery(projectId, shown, { ...(filters.set as object), visitors });
  const { answer, news } = useNews(useQuery(query), projectId, shown);
  const before = describeComparison(search, shown.timeZone);
  const { data: summaries } = useQuery({ ...summariesQuery, refetchInterval: false });
  const firstVisitAt = summaries?.find(({ project_id: id }) => id === projectId)?.first_visit_at ?? null;
  const hidden = search.hidden ?? [];
  const linkToVisits = (set: FilterSet, range = linkedRange(search, shown)) =>
    listLink(projectId, range)(visitFilters(set, hasUnknown));
  return (
    <RangePage
      {...head}
      answer={answer}
      isCompared
      errorTitle="Couldn't load the overview"
      isEmpty={({ current }) => current.visits === 0 && !isFiltered(filters.set)}
      skeleton={<RangeSkeleton head={{ base: 400, sm: 270, lg: 145 }} />}
      filters={
        <Group gap="xs">
          <FilterChips filters={filters.set} onChange={filters.change} groupRef={filters.chips}>
            <Button size="compact-sm" variant="subtle" onClick={() => filters.change({})}>
              Clear all
            </Button>
            <TextLink {...linkToVisits(filters.set)} size="sm">
              Show these visits
            </TextLink>
          </FilterChips>
          <SavedFilters />
          <Switch
            size="xs"
            ml="auto"
            label="Include unknown visitors"
            checked={hasUnknown}
            onChange={({ currentTarget }) => change({ unknown: currentTarget.checked || undefined }, true)}
          />
        </Group>
      }
    >
      {(overview) => {
        const range = linkedRange(search, overview);
        if (isFiltered(filters.set) && overview.current.visits + overview.previous.visits === 0) {
          return <EmptyState title="No visits match the filters">Remove a filter or choose another range.</EmptyState>;
        }
        return (
          <Stack>
            {!isFiltered(filters.set) && (
              <WhatsNew projectId={projectId} news={news} timeZone={shown.timeZone} linked={range} before={before} />
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
                firstVisit={{ at: firstVisitAt, timeZone: shown.timeZone }}
                hasUnknown={hasUnknown}
                isFiltered={isFiltered(filters.set)}
                hasTypes={filters.set.type !== undefined || filters.set.not_type !== undefined}
              />
            </div>
            <Card withBorder>
              <TimeChart
                title="Visits by agent type"
                {...getChartSeries(overview, before, hasUnknown, filters)}
                isApart={search.apart ?? false}
                aside={
                  !search.table && (
                    <SegmentedControl
                      size="xs"
                      aria-label="Types"
                      value={search.apart ? SEPARATE : COMBINED}
                      onChange={(value) => change({ apart: value === SEPARATE || undefined }, true)}
                      data={[COMBINED, SEPARATE]}
                    />
                  )
                }
                times={{ bucket: overview.bucket, projectZone: shown.projectZone, timeZone: shown.timeZone }}
                range={overview}
                onNarrow={(range) => change({ ...range, range: undefined })}
                isTable={search.table ?? false}
                onTable={(isTable) => change({ table: isTable || undefined }, true)}
                hidden={hidden}
                onHidden={(hidden) => change({ hidden: hidden.length > 0 ? hidden : undefined }, true)}
              />
            </Card>
            <div>
              <Text size="xs" c="dimmed" mb="xs">
                Select a row to filter by it, or hold Alt to exclude it. Select a number to show its visits.
              </Text>
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
            </div>
          </Stack>
        );
      }}
    </RangePage>
  );
}

/**
 * Returns a link to the agents counted on the page, or undefined if the agent list doesn't support the same filters.
 */
function getAgentsLink(projectId: string, range: LinkedRange, { type, ...others }: FilterSet) {
  const [only, ...more] = type ?? [];
  return isFiltered(others) || more.length > 0 ? undefined : agentsLink(projectId, range, only);
}

/** Returns the chart series with filter actions. "Other types" has none because it combines several types. */
function getChartSeries(overview: Overview, before: string | null, hasUnknown: boolean, { filter }: OverviewFilters) {
  const previousItems = before === null ? [] : overview.previous_series;
  const { series, items, previous } = buildTypeSeries(overview.series, AGENT_TYPES, hasUnknown, previousItems);
  return {
    items,
    comparison: toComparedSeries(before, previous),
    series: series.map((entry) => {
      if (entry.key === UNKNOWN_SERIES) {
        return { ...entry, onFilter: (isExcluded: boolean) => filter('result', 'unknown_agent', isExcluded) };
      }
      if (entry.key === OTHER_SERIES) return entry;
      return { ...entry, onFilter: (isExcluded: boolean) => filter('type', entry.label, isExcluded) };
    }),
  };
}
