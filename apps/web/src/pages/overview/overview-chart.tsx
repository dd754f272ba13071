import { Card, Skeleton } from '@mantine/core';
import type { Overview } from '../../api/statistics.js';
import { toComparedSeries } from '../../charts/chart.js';
import type { ChartTimes } from '../../charts/chart-times.js';
import { TimeChart } from '../../charts/time-chart.js';
import type { PageFilters } from '../../filters/use-page-filters.js';
import { Segments } from '../../ui/segments.js';
import { buildChart, VIEWS, type ChartView } from '../../charts/chart-view.js';
import type { OverviewSearch } from './search.js';
import { formatRatio, type Spike } from './spikes.js';

const BREAKDOWNS: readonly { value: ChartView; label: string }[] = [
  { value: 'type', label: 'Type' },
  { value: 'verdict', label: 'Verdict' },
  { value: 'status', label: 'Status' },
];
const LAYOUTS = [
  { value: 'combined', label: 'Combined' },
  { value: 'apart', label: 'Separate' },
];

/** Height of the chart. Low, so that the legend is on the first screen. */
export const HEIGHT_PX = 210;

interface OverviewChartProps {
  overview: Overview;
  search: OverviewSearch;
  change: (to: Partial<OverviewSearch>, replace?: boolean) => void;
  filters: Pick<PageFilters, 'filter'>;
  zones: Omit<ChartTimes, 'bucket'>;
  /** Name of the comparison range, or null for no comparison. */
  before: string | null;
  spikes: readonly Spike[];
}

/** Visits over time, by the property that the user selected. */
export function OverviewChart({ overview, search, change, filters, zones, before, spikes }: OverviewChartProps) {
  const { chart: view = 'type', apart: isApart = false, table: isTable = false, hidden = [], unknown = false } = search;
  const data = buildChart(view, overview, { hasUnknown: unknown, isCompared: before !== null });
  if (data === null) {
    return (
      <Card withBorder>
        <Skeleton h={HEIGHT_PX + 110} animate={false} />
      </Card>
    );
  }
  const isEntire = hidden.length === 0 && BREAKDOWNS.some(({ value }) => value === view);
  return (
    <Card withBorder>
      <TimeChart
        title={VIEWS[view].title}
        height={HEIGHT_PX}
        items={data.items}
        comparison={data.previous.length === 0 ? undefined : toComparedSeries(before, data.previous)}
        series={data.series.map(({ filter, ...series }) =>
          filter === undefined
            ? series
            : { ...series, onFilter: (isExcluded: boolean) => filters.filter(...filter, isExcluded) },
        )}
        isApart={isApart}
        {...(isEntire && { marks: Object.fromEntries(spikes.map((spike) => [spike.from, formatRatio(spike)])) })}
        aside={
          <>
            <Segments
              label="Break down by"
              value={view}
              onChange={(value) => change(toChartSearch(value), true)}
              options={BREAKDOWNS}
            />
            {!isTable && data.series.length > 1 && (
              <Segments
                label="Layout"
                value={isApart ? 'apart' : 'combined'}
                onChange={(value) => change({ apart: value === 'apart' || undefined }, true)}
                options={LAYOUTS}
              />
            )}
          </>
        }
        times={{ bucket: overview.bucket, ...zones }}
        range={overview}
        onNarrow={(range) => change({ ...range, range: undefined })}
        isTable={isTable}
        onTable={(to) => change({ table: to || undefined }, true)}
        hidden={hidden}
        onHidden={(labels) => change({ hidden: labels.length > 0 ? labels : undefined }, true)}
      />
    </Card>
  );
}

/** Returns the search parameters that select what the chart shows. Labels of hidden series differ by view. */
export const toChartSearch = (view: ChartView): Pick<OverviewSearch, 'chart' | 'hidden'> => ({
  chart: view === 'type' ? undefined : view,
  hidden: undefined,
});
