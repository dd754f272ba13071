import { UnstyledButton } from '@mantine/core';
import { excludeHandlers } from '../filters/exclude-handlers.js';
import { formatCount } from '../format/count.js';
import { layOutBars, toBarsPath, toLevelsPath } from './bar-geometry.js';
import { formatTick, type ChartTimes } from './chart-times.js';
import { COMPARISON_COLOR, type ChartItem, type ChartSeries, type ComparedSeries } from './chart.js';

import classes from './time-chart.module.css';

// The charts are stretched to the size of their box.
const WIDTH = 190;
const HEIGHT = 64;

interface SmallChartsProps {
  series: readonly ChartSeries[];
  items: readonly ChartItem[];
  comparison: ComparedSeries | undefined;
  times: ChartTimes;
}

/** One small chart per series, all on the same time axis. Clicking a chart filters the page by its series. */
export default function SmallCharts({ series, items, comparison, times }: SmallChartsProps) {
  const [first, last] = [items[0], items.at(-1)];
  const layout = layOutBars(items.length, WIDTH);
  return (
    <ul className={classes['small']} aria-label="Series">
      {series.map(({ key, label, color, onFilter }) => {
        const values = items.map((item) => item.values[key] ?? 0);
        const comparisonValues = comparison?.items.slice(0, items.length).map((item) => item.values[key] ?? 0) ?? [];
        const maxValue = Math.max(1, ...values, ...comparisonValues);
        const toY = (value: number): number => HEIGHT - (value / maxValue) * HEIGHT;
        const visits = values.reduce((sum, value) => sum + value, 0);
        const chart = (
          <>
            <span className={classes['smallTitle']}>
              <span>{label}</span>
              <span className="numbers">
                {formatCount(visits)}
                <span className="unseen"> visits</span>
              </span>
            </span>
            <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
              <path
                d={toBarsPath(
                  values.map((to, index) => ({ index, from: 0, to })),
                  layout,
                  toY,
                )}
                fill={color}
              />
              {comparisonValues.length > 0 && (
                <path
                  d={toLevelsPath(comparisonValues, layout, toY)}
                  fill="none"
                  stroke={COMPARISON_COLOR}
                  vectorEffect="non-scaling-stroke"
                />
              )}
            </svg>
            {first !== undefined && last !== undefined && (
              <span className={classes['smallTimes']} aria-hidden="true">
                <span>{formatTick(first.time, times)}</span>
                <span>highest {formatCount(Math.max(0, ...values))}</span>
                <span>{formatTick(last.time, times)}</span>
              </span>
            )}
          </>
        );
        return (
          <li key={key}>
            {onFilter === undefined ? (
              <div className={classes['smallChart']}>{chart}</div>
            ) : (
              <UnstyledButton
                className={classes['smallChart']}
                title={`Filter by ${label} (Alt+click to exclude)`}
                {...excludeHandlers(
                  () => onFilter(true),
                  () => onFilter(false),
                )}
              >
                {chart}
              </UnstyledButton>
            )}
          </li>
        );
      })}
    </ul>
  );
}
