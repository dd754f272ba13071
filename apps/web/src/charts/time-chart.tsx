import { Group, Skeleton, Text, UnstyledButton } from '@mantine/core';
import { useUncontrolled } from '@mantine/hooks';
import { lazy, Suspense, type ReactNode } from 'react';
import { countText } from '../format/count.js';
import { useClock } from '../ui/clock.js';
import { prefetched } from '../ui/prefetched.js';
import { CHART_HEIGHT, totalOf, type ComparedSeries, type TimeChartProps } from './chart.js';
import { isByDay } from './chart-times.js';
import classes from './time-chart.module.css';

// Starts to load right away, in parallel with the page's data.
const plots = import('./plots.js');
const AreaPlot = prefetched(plots.then(({ AreaPlot: component }) => component));
const SeriesKeys = prefetched(plots.then(({ SeriesKeys: component }) => component));
const SmallCharts = prefetched(plots.then(({ SmallCharts: component }) => component));
const TimeTable = lazy(() => import('./time-table.js'));
const NoteList = lazy(() => import('../chart-notes/note-list.js'));

interface FrameProps extends Omit<TimeChartProps, 'comparison'> {
  comparison?: ComparedSeries | undefined;
  onTable: (isTable: boolean) => void;
  aside?: ReactNode;
  /** Labels of the hidden series. By default, the chart keeps track of them itself. */
  hidden?: readonly string[];
  onHidden?: (hidden: string[]) => void;
  isApart?: boolean;
}

const UNITS = { '15m': 'quarter of an hour', '1h': 'hour', '1d': 'day', '1w': 'week', '1mo': 'month' } as const;

/** Chart of visits over time with a legend, notes and a table view. */
export function TimeChart({ onTable, aside, hidden: given, onHidden, isApart = false, ...all }: FrameProps) {
  const [hidden, setHidden] = useUncontrolled({
    value: given === undefined ? undefined : [...given],
    defaultValue: [],
    ...(onHidden && { onChange: onHidden }),
  });
  const { title, items, times, range, isTable } = all;
  const series = all.series.filter(({ label }) => !hidden.includes(label));
  const comparison = all.comparison && {
    label: all.comparison.label,
    items: all.comparison.items.map((item) => ({ time: item.time, visits: totalOf(series, item) })),
  };
  const chart = { ...all, series, comparison };
  const isUnfinished = Date.parse(range.to) > useClock();
  const total = items.reduce((sum, item) => sum + totalOf(series, item), 0);
  return (
    <figure className={classes['figure']}>
      <Group component="figcaption" justify="space-between" gap="xs" mb="xs">
        <h2 className={classes['title']}>{title}</h2>
        <Group gap="md">
          {aside}
          <UnstyledButton fz="xs" c="var(--mantine-color-anchor)" onClick={() => onTable(!isTable)}>
            {isTable ? 'Show as chart' : 'Show as table'}
          </UnstyledButton>
        </Group>
      </Group>
      {isTable ? (
        <Suspense fallback={<Skeleton h={CHART_HEIGHT} animate={false} />}>
          <TimeTable {...chart} />
        </Suspense>
      ) : isApart ? (
        <Suspense fallback={<Skeleton h={CHART_HEIGHT} animate={false} />}>
          <SmallCharts series={all.series} items={items} comparison={all.comparison} times={times} />
        </Suspense>
      ) : (
        <>
          <div role="img" aria-label={`${title}: ${countText(total)} visits. The table has the numbers.`}>
            <Suspense fallback={<Skeleton h={CHART_HEIGHT} animate={false} />}>
              <AreaPlot {...chart} isUnfinished={isUnfinished} />
            </Suspense>
          </div>
          <Suspense fallback={<Skeleton h={24} mt="xs" animate={false} />}>
            <SeriesKeys series={all.series} hidden={hidden} onHidden={setHidden} comparison={comparison?.label} />
          </Suspense>
        </>
      )}
      <Text size="xs" c="dimmed" mt={4}>
        {isByDay(times.bucket) ? `Days of ${times.projectZone}.` : `Times of ${times.timeZone}.`}
        {isUnfinished &&
          ` The last ${UNITS[times.bucket]} is still in progress${isTable || isApart ? '' : ' (hatched)'}.`}
        {isTable ? (
          chart.onNarrow && ' Select a time to zoom in.'
        ) : isApart ? (
          ' Each chart has its own scale of visits, up to its highest. Select one to filter by it.'
        ) : (
          <>
            {chart.onNarrow && <span className={classes['hint']}> Drag across the chart to zoom in.</span>} Select a
            name to hide or show it.
          </>
        )}
      </Text>
      <Suspense>
        <NoteList range={range} times={times} />
      </Suspense>
    </figure>
  );
}
