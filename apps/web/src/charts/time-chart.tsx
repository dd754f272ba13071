import { Group, Skeleton, Text, UnstyledButton } from '@mantine/core';
import { useUncontrolled } from '@mantine/hooks';
import { lazy, Suspense, use, useMemo, type ReactNode } from 'react';
import { formatCount } from '../format/count.js';
import { formatTime } from '../format/time.js';
import { EarlierDataContext } from '../range/earlier-data.js';
import { useClock } from '../ui/use-clock.js';
import { preloadComponent } from '../ui/preload-component.js';
import { CHART_HEIGHT_PX, getChartHeight, sumSeries, type ComparedSeries, type TimeChartProps } from './chart.js';
import { getItemEnd, isDailyOrLonger, type ChartTimes } from './chart-times.js';
import { mergeQuarterHours } from './merge-quarter-hours.js';
import { describePartialItems, findPartialItems, toPartialIndexes } from './partial-items.js';
import classes from './time-chart.module.css';

// Starts loading right away, in parallel with the page's data.
const plots = import('./plots.js');
const BarPlot = preloadComponent(plots.then(({ BarPlot: component }) => component));
const SeriesKeys = preloadComponent(plots.then(({ SeriesKeys: component }) => component));
const SmallCharts = preloadComponent(plots.then(({ SmallCharts: component }) => component));
const TimeTable = lazy(() => import('./time-table.js'));
const NoteList = lazy(() => import('../chart-notes/note-list.js'));

const UNKNOWN_FORMAT = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' } as const;

interface FrameProps extends Omit<TimeChartProps, 'comparison'> {
  comparison?: ComparedSeries | undefined;
  onTable: (isTable: boolean) => void;
  aside?: ReactNode;
  /** Labels of the hidden series. If omitted, the chart manages them itself. */
  hidden?: readonly string[];
  onHidden?: (hidden: string[]) => void;
  isApart?: boolean;
  /** For charts above lists: without a visible title, notes and explanations, and with the legend at the top. */
  isCompact?: boolean;
}

/** Visits over time as a chart or table, with notes. */
export function TimeChart({
  onTable,
  aside,
  hidden: controlledHidden,
  onHidden,
  isApart = false,
  isCompact = false,
  ...detailedProps
}: FrameProps) {
  const hasEarlierData = use(EarlierDataContext);
  // Before the first visit, a comparison would be a line of zeros.
  const chartProps = mergeQuarterHours(hasEarlierData ? detailedProps : { ...detailedProps, comparison: undefined });
  const [hidden, setHidden] = useUncontrolled({
    value: controlledHidden === undefined ? undefined : [...controlledHidden],
    defaultValue: [],
    ...(onHidden && { onChange: onHidden }),
  });
  const { title, items, times, range, isTable, unknownUntil } = chartProps;
  const unknownCount = countUnknown(items, times, unknownUntil);
  const series = chartProps.series.filter(({ label }) => !hidden.includes(label));
  const comparison = chartProps.comparison && {
    label: chartProps.comparison.label,
    items: chartProps.comparison.items.map((item) => ({ time: item.time, visits: sumSeries(series, item) })),
  };
  const chart = { ...chartProps, series, comparison, height: getChartHeight(chartProps) };
  const now = useClock();
  const partial = useMemo(
    () =>
      findPartialItems(
        items.map(({ time }) => time),
        range,
        times,
        now,
      ),
    [items, range, times, now],
  );
  // The first item after the unknown ones is only known in part.
  const partialItems = [
    ...toPartialIndexes(partial, items.length),
    ...(unknownUntil === undefined ? [] : [unknownCount]),
  ];
  // Items without bars can't look incomplete.
  const isEmpty = (index: number): boolean => items.length > 0 && sumSeries(series, items.at(index)!) === 0;
  const partialText = describePartialItems(
    { isFirst: partial.isFirst && unknownCount === 0 && !isEmpty(0), last: isEmpty(-1) ? 'full' : partial.last },
    times.bucket,
  );
  const hasKeys = chartProps.series.length > 1 || comparison !== undefined;
  const total = items.reduce((sum, item) => sum + sumSeries(series, item), 0);
  const keys = hasKeys && (
    <Suspense fallback={<Skeleton h={24} mt="xs" animate={false} />}>
      <SeriesKeys
        series={chartProps.series}
        hidden={hidden}
        onHidden={setHidden}
        comparison={comparison?.label}
        partial={partialText}
      />
    </Suspense>
  );
  return (
    <figure className={classes['figure']}>
      <Group
        component="figcaption"
        justify="space-between"
        gap="xs"
        mb={isCompact ? 0 : 'xs'}
        wrap={isCompact ? 'nowrap' : 'wrap'}
      >
        <h2 className={isCompact ? 'unseen' : classes['title']}>{title}</h2>
        {isCompact && !isTable && keys}
        <Group gap="md" ml="auto" className={classes['tools']!}>
          {aside}
          <UnstyledButton fz="xs" c="var(--mantine-color-anchor)" onClick={() => onTable(!isTable)}>
            {isTable ? 'Show as chart' : 'Show as table'}
          </UnstyledButton>
        </Group>
      </Group>
      {isTable ? (
        <Suspense fallback={<Skeleton h={CHART_HEIGHT_PX} animate={false} />}>
          <TimeTable {...chart} items={items.slice(unknownCount)} />
        </Suspense>
      ) : isApart ? (
        <Suspense fallback={<Skeleton h={CHART_HEIGHT_PX} animate={false} />}>
          <SmallCharts series={chartProps.series} items={items} comparison={chartProps.comparison} times={times} />
        </Suspense>
      ) : (
        <>
          <div
            role="img"
            aria-label={`${title}: ${chart.format?.(total) ?? `${formatCount(total)} visits`}. Show as table for the numbers.`}
          >
            <Suspense fallback={<Skeleton h={chart.height} animate={false} />}>
              <BarPlot {...chart} partialItems={partialItems} unknownCount={unknownCount} />
            </Suspense>
          </div>
          {!isCompact && keys}
        </>
      )}
      {!isCompact && (
        <>
          <Text size="xs" c="dimmed" mt={4}>
            {isDailyOrLonger(times.bucket) ? `Days in ${times.projectZone}.` : `Times in ${times.timeZone}.`}
            {unknownUntil !== undefined &&
              ` Not analyzed before ${formatTime(unknownUntil, times.timeZone, UNKNOWN_FORMAT)}.`}
            {partialText !== null && (isTable || isApart || !hasKeys) && ` ${partialText}.`}
            {isTable ? (
              chart.onNarrow && ' Select a time to zoom in.'
            ) : isApart ? (
              ' Each chart has its own scale. Select a chart to filter by it.'
            ) : (
              <>
                {chart.onNarrow && <span className={classes['hint']}> Drag across the chart to zoom in.</span>}
                {hasKeys && ' Select a series to hide or show it.'}
              </>
            )}
          </Text>
          <Suspense fallback={<Skeleton h={22} w={80} mt="xs" animate={false} />}>
            <NoteList range={range} times={times} />
          </Suspense>
        </>
      )}
    </figure>
  );
}

/** Counts the items at the start of a chart whose values aren't known at all. */
function countUnknown(items: TimeChartProps['items'], times: ChartTimes, until: string | undefined): number {
  if (until === undefined) return 0;
  return items.filter(({ time }) => getItemEnd(time, times) <= Date.parse(until)).length;
}
