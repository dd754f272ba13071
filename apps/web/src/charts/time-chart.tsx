import { Group, Skeleton, Text, UnstyledButton } from '@mantine/core';
import { lazy, Suspense, type ReactNode } from 'react';
import { useClock } from '../ui/clock.js';
import { CHART_HEIGHT, type TimeChartProps } from './chart.js';
import classes from './time-chart.module.css';

// Fetched while the page asks for its numbers.
const plot = import('./area-plot.js');
const AreaPlot = lazy(() => plot);
const TimeTable = lazy(() => import('./time-table.js'));

interface FrameProps extends TimeChartProps {
  onTable: (isTable: boolean) => void;
  /** Beside the title. */
  aside?: ReactNode;
}

const UNITS = { '15m': 'quarter of an hour', '1h': 'hour', '1d': 'day' } as const;

/** A chart over time with its key, and the same as a table. */
export function TimeChart({ onTable, aside, ...chart }: FrameProps) {
  const { title, series, items, times, range, isTable } = chart;
  const isUnfinished = Date.parse(range.to) > useClock();
  const total = items.reduce(
    (sum, { values }) => sum + series.reduce((all, { key }) => all + (values[key] ?? 0), 0),
    0,
  );
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
      ) : (
        <>
          <div role="img" aria-label={`${title}: ${total.toLocaleString('en')} visits. The table has the numbers.`}>
            <Suspense fallback={<Skeleton h={CHART_HEIGHT} animate={false} />}>
              <AreaPlot {...chart} isUnfinished={isUnfinished} />
            </Suspense>
          </div>
          <ul className={classes['keys']}>
            {series.map(({ key, label, color }) => (
              <li key={key}>
                <svg width="10" height="10" aria-hidden="true">
                  <rect width="10" height="10" rx="2" fill={color} />
                </svg>
                {label}
              </li>
            ))}
          </ul>
        </>
      )}
      <Text size="xs" c="dimmed" mt={4}>
        {times.bucket === '1d' ? `Days of ${times.projectZone}.` : `Times of ${times.timeZone}.`}
        {isUnfinished && ` The last ${UNITS[times.bucket]} is still in progress${isTable ? '' : ' (hatched)'}.`}
        {isTable ? (
          ' Select a time to zoom in.'
        ) : (
          <span className={classes['hint']}> Drag across the chart to zoom in.</span>
        )}
      </Text>
    </figure>
  );
}
