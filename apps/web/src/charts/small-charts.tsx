import { UnstyledButton } from '@mantine/core';
import { excluding } from '../filters/excluding.js';
import { countText } from '../format/count.js';
import { tickText, type ChartTimes } from './chart-times.js';
import { COMPARISON_COLOR, type ChartItem, type ChartSeries, type ComparedSeries } from './chart.js';
import { areaPath, linePath } from './small-chart-path.js';
import classes from './time-chart.module.css';

interface SmallChartsProps {
  series: readonly ChartSeries[];
  items: readonly ChartItem[];
  comparison: ComparedSeries | undefined;
  times: ChartTimes;
}

/** A small chart for each series, on the same time axis. Clicking a chart filters the page by its series. */
export default function SmallCharts({ series, items, comparison, times }: SmallChartsProps) {
  const [first, last] = [items[0], items.at(-1)];
  return (
    <ul className={classes['small']} aria-label="Series">
      {series.map(({ key, label, color, onFilter }) => {
        const values = items.map((item) => item.values[key] ?? 0);
        const before = comparison?.items.slice(0, items.length).map((item) => item.values[key] ?? 0) ?? [];
        const most = Math.max(1, ...values, ...before);
        const visits = values.reduce((sum, value) => sum + value, 0);
        const chart = (
          <>
            <span className={classes['smallTitle']}>
              <span>{label}</span>
              <span className="numbers">
                {countText(visits)}
                <span className="unseen"> visits</span>
              </span>
            </span>
            <svg viewBox="0 0 100 40" preserveAspectRatio="none" aria-hidden="true">
              <path d={areaPath(values, most)} fill={color} fillOpacity={0.85} />
              {before.length > 1 && (
                <path
                  d={linePath(before, most, items.length)}
                  fill="none"
                  stroke={COMPARISON_COLOR}
                  strokeDasharray="4 3"
                  vectorEffect="non-scaling-stroke"
                />
              )}
            </svg>
            {first !== undefined && last !== undefined && (
              <span className={classes['smallTimes']} aria-hidden="true">
                <span>{tickText(first.time, times)}</span>
                <span>highest {countText(Math.max(0, ...values))}</span>
                <span>{tickText(last.time, times)}</span>
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
                title={`Filter by ${label}; hold Alt to exclude it`}
                {...excluding(
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
