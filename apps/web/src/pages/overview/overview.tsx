import { Button, Card, Group, SegmentedControl, Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { summariesQuery } from '../../api/queries.js';
import { overviewQuery, type Overview } from '../../api/statistics.js';
import { chartComparison } from '../../charts/chart.js';
import { TimeChart } from '../../charts/time-chart.js';
import { OTHER_SERIES, typeSeries, UNKNOWN_SERIES } from '../../charts/type-series.js';
import { FilterChips } from '../../filters/filter-chips.js';
import { isFiltered, type FilterSet } from '../../filters/filter-set.js';
import { agentLink, agentsLink, listLink } from '../../range/list-link.js';
import { beforeText } from '../../range/comparison.js';
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
import { useWithNews, WhatsNew } from './whats-new.js';

const TOGETHER = 'Together';
const APART = 'Apart';
const route = getRouteApi('/app/projects/$projectId/overview');

export function OverviewPage() {
  const { project, projectId, search, shown, change, head } = useRangePage<OverviewSearch>('Overview', route);
  const filters = useOverviewFilters(projectId, search);
  const hasUnknown = search.unknown ?? false;
  const visitors = hasUnknown ? 'all' : 'agents';
  const asked = overviewQuery(projectId, shown, { ...(filters.set as object), visitors });
  const { answer, news } = useWithNews(useQuery(asked), projectId, shown);
  const before = beforeText(search, shown.timeZone);
  const { data: summaries } = useQuery({ ...summariesQuery, refetchInterval: false });
  const firstVisitAt = summaries?.find(({ project_id: id }) => id === projectId)?.first_visit_at ?? null;
  const hidden = search.hidden ?? [];
  const visitsOf = (set: FilterSet, range = linkedRange(search, shown)) =>
    listLink(projectId, range)(visitFilters(set, hasUnknown));
  return (
    <RangePage
      {...head}
      answer={answer}
      isCompared
      failed="The overview can't be shown"
      isEmpty={({ current }) => current.visits === 0 && !isFiltered(filters.set)}
      skeleton={<RangeSkeleton head={{ base: 400, sm: 270, lg: 145 }} />}
      filters={
        <Group gap="xs">
          <FilterChips filters={filters.set} onChange={filters.change} groupRef={filters.chips}>
            <Button size="compact-sm" variant="subtle" onClick={() => filters.change({})}>
              Clear all
            </Button>
            <TextLink {...visitsOf(filters.set)} size="sm">
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
          return (
            <EmptyState title="No visits match the filters">Remove one of them, or choose another range.</EmptyState>
          );
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
                  visits: (more) => visitsOf({ ...filters.set, ...more }, range),
                  agents: agentsOf(projectId, range, filters.set),
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
                {...seriesOf(overview, before, hasUnknown, filters)}
                isApart={search.apart ?? false}
                aside={
                  !search.table && (
                    <SegmentedControl
                      size="xs"
                      aria-label="Types"
                      value={search.apart ? APART : TOGETHER}
                      onChange={(value) => change({ apart: value === APART || undefined }, true)}
                      data={[TOGETHER, APART]}
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
                Select a row to filter the page by it, or hold Alt to exclude it. Numbers lead to the visits.
              </Text>
              <TopLists
                overview={overview}
                links={{
                  row: (key, value) => ({
                    ...filters.row(key, value),
                    visitsLink: visitsOf({ ...filters.set, [key]: [value] }, range),
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
 * Returns a link to the agents that the page counts, or undefined if the agent list can't filter by the same values.
 */
function agentsOf(projectId: string, range: LinkedRange, { type, ...others }: FilterSet) {
  const [only, ...more] = type ?? [];
  return isFiltered(others) || more.length > 0 ? undefined : agentsLink(projectId, range, only);
}

/** Returns the chart series with their filter actions. "Other types" has none, because it combines several types. */
function seriesOf(overview: Overview, before: string | null, hasUnknown: boolean, { filter }: OverviewFilters) {
  const compared = before === null ? [] : overview.previous_series;
  const { series, items, previous } = typeSeries(overview.series, AGENT_TYPES, hasUnknown, compared);
  return {
    items,
    comparison: chartComparison(before, previous),
    series: series.map((one) => {
      if (one.key === UNKNOWN_SERIES) {
        return { ...one, onFilter: (isExcluded: boolean) => filter('result', 'unknown_agent', isExcluded) };
      }
      if (one.key === OTHER_SERIES) return one;
      return { ...one, onFilter: (isExcluded: boolean) => filter('type', one.label, isExcluded) };
    }),
  };
}
