import { Group, Skeleton, Text, UnstyledButton } from '@mantine/core';
import { useUncontrolled } from '@mantine/hooks';
import { lazy, Suspense, type ReactNode } from 'react';
import { excluding } from '../filters/excluding.js';
import { useClock } from '../ui/clock.js';
import { Icon } from '../ui/icon.js';
import { CHART_HEIGHT, COMPARISON_COLOR, type ChartSeries, type TimeChartProps } from './chart.js';
import { isByDay } from './chart-times.js';
import classes from './time-chart.module.css';

// Fetched while the page asks for its numbers.
const plot = import('./area-plot.js');
const AreaPlot = lazy(() => plot);
const TimeTable = lazy(() => import('./time-table.js'));
const NoteList = lazy(() => import('../chart-notes/note-list.js'));

interface FrameProps extends TimeChartProps {
  onTable: (isTable: boolean) => void;
  /** Beside the title. */
  aside?: ReactNode;
  /** Labels of series that are switched off; the chart keeps them itself unless given. */
  hidden?: readonly string[];
  onHidden?: (hidden: string[]) => void;
}

const UNITS = { '15m': 'quarter of an hour', '1h': 'hour', '1d': 'day', '1w': 'week', '1mo': 'month' } as const;

/** A chart over time with its key, and the same as a table. */
export function TimeChart({ onTable, aside, hidden: given, onHidden, ...all }: FrameProps) {
  const [hidden, setHidden] = useUncontrolled({
    value: given === undefined ? undefined : [...given],
    defaultValue: [],
    ...(onHidden && { onChange: onHidden }),
  });
  const chart = { ...all, series: all.series.filter(({ label }) => !hidden.includes(label)) };
  const { title, series, items, comparison, times, range, isTable } = chart;
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
          <ul className={classes['keys']} aria-label="Series">
            {all.series.map((one) => (
              <Key
                key={one.key}
                series={one}
                isOn={!hidden.includes(one.label)}
                onSwitch={() =>
                  setHidden(
                    hidden.includes(one.label) ? hidden.filter((label) => label !== one.label) : [...hidden, one.label],
                  )
                }
              />
            ))}
            {comparison !== undefined && (
              <li>
                <svg width="20" height="10" aria-hidden="true">
                  <path d="M0 5h20" stroke={COMPARISON_COLOR} strokeWidth="1.5" strokeDasharray="5 4" />
                </svg>
                {comparison.label}
              </li>
            )}
          </ul>
        </>
      )}
      <Text size="xs" c="dimmed" mt={4}>
        {isByDay(times.bucket) ? `Days of ${times.projectZone}.` : `Times of ${times.timeZone}.`}
        {isUnfinished && ` The last ${UNITS[times.bucket]} is still in progress${isTable ? '' : ' (hatched)'}.`}
        {isTable
          ? chart.onNarrow && ' Select a time to zoom in.'
          : chart.onNarrow && <span className={classes['hint']}> Drag across the chart to zoom in.</span>}
        {!isTable && ' Select a name to hide or show it.'}
      </Text>
      <Suspense>
        <NoteList range={range} times={times} />
      </Suspense>
    </figure>
  );
}

interface KeyProps {
  series: ChartSeries;
  isOn: boolean;
  onSwitch: () => void;
}

/** Switches a series off and on; its funnel filters the page by it. */
function Key({ series: { label, color, onFilter }, isOn, onSwitch }: KeyProps) {
  return (
    <li>
      <UnstyledButton className={classes['key']} onClick={onSwitch} aria-pressed={isOn} title={isOn ? 'Hide' : 'Show'}>
        <svg width="10" height="10" aria-hidden="true">
          <rect x="1" y="1" width="8" height="8" rx="1.5" stroke={color} strokeWidth="2" fill={isOn ? color : 'none'} />
        </svg>
        <span className={classes['name']}>{label}</span>
      </UnstyledButton>
      {onFilter && (
        <UnstyledButton
          className={classes['key']}
          aria-label={`Filter by ${label}`}
          title={`Filter by ${label}; hold Alt to exclude it`}
          {...excluding(
            () => onFilter(true),
            () => onFilter(false),
          )}
        >
          <Icon name="filter" size={13} />
        </UnstyledButton>
      )}
    </li>
  );
}
