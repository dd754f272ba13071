import { Card, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { overviewQuery, type Overview } from '../api/statistics.js';
import type { FilterSet } from '../filters/filter-set.js';
import { describeComparison } from '../range/comparison.js';
import type { Range, RangeSearch } from '../range/range.js';
import type { ShownRange } from '../range/use-range.js';
import { AGENT_TYPES } from '../ui/agent-types.js';
import { getAgentSeries } from './agent-series.js';
import { CHART_HEIGHT_PX, toComparedSeries, type ChartSeries } from './chart.js';
import { TimeChart } from './time-chart.js';
import { buildTypeSeries } from './type-series.js';

/** Query for the visits that match filters over time, and in the comparison range. */
export const matchingVisitsQuery = (projectId: string, shown: ShownRange, set: FilterSet, isByAgent: boolean) =>
  overviewQuery(projectId, shown, { ...(set as object), ...(isByAgent && { breakdown: 'agent' }) });

interface MatchingVisitsProps {
  title: string;
  projectId: string;
  search: RangeSearch;
  shown: ShownRange;
  filters: FilterSet;
  onChange: (change: Partial<RangeSearch>, replace?: boolean) => void;
  /** Series if the visits have no agent type. Default: one series per agent type. */
  series?: ChartSeries;
  /** Shows one series per agent instead of agent type. */
  isByAgent?: true;
  /** Controls next to the title. */
  aside?: ReactNode;
  /** Height of the chart in pixels. */
  height?: number;
}

/** Height of the title, legend and notes of a chart, in pixels. */
const CHART_FRAME_PX = 119;

/** Card with a chart of the visits that match filters. */
export function MatchingVisits(props: MatchingVisitsProps) {
  const {
    title,
    projectId,
    search,
    shown,
    filters,
    onChange,
    series,
    isByAgent = false,
    aside,
    height = CHART_HEIGHT_PX,
  } = props;
  const { data: overview } = useQuery(matchingVisitsQuery(projectId, shown, filters, isByAgent));
  return (
    <Card withBorder>
      {overview === undefined ? (
        <Skeleton h={height + CHART_FRAME_PX} animate={false} />
      ) : (
        <TimeChart
          title={title}
          aside={aside}
          height={height}
          {...toChart(overview, describeComparison(search, shown.timeZone), series, isByAgent)}
          times={{ bucket: overview.bucket, projectZone: shown.projectZone, timeZone: shown.timeZone }}
          range={overview}
          onNarrow={(range: Range) => onChange({ ...range, range: undefined })}
          isTable={search.table ?? false}
          onTable={(isTable) => onChange({ table: isTable || undefined }, true)}
        />
      )}
    </Card>
  );
}

function toChart(overview: Overview, before: string | null, single: ChartSeries | undefined, isByAgent: boolean) {
  const previousItems = before === null ? [] : overview.previous_series;
  if (isByAgent) {
    const toAgentItem = ({ time, by_agent: values = {} }: Overview['series'][number]) => ({ time, values });
    const [items, previous] = [overview.series.map(toAgentItem), previousItems.map(toAgentItem)];
    // Agents that only visited in the comparison range are part of its totals.
    const all = [...items, ...previous];
    return {
      series: getAgentSeries(overview).filter(({ key }) => all.some(({ values }) => (values[key] ?? 0) > 0)),
      items,
      comparison: toComparedSeries(before, previous),
    };
  }
  if (single === undefined) {
    const { series, items, previous } = buildTypeSeries(overview.series, AGENT_TYPES, false, previousItems);
    return { series, items, comparison: toComparedSeries(before, previous) };
  }
  const toItem = ({ time, visits }: { time: string; visits: number }) => ({ time, values: { [single.key]: visits } });
  return {
    series: [single],
    items: overview.series.map(toItem),
    comparison: toComparedSeries(before, previousItems.map(toItem)),
  };
}
