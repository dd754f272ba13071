import { joinTexts, type Annotation } from '../chart-notes/annotations.js';
import { formatCount } from '../format/count.js';
import { formatItemTime, type ChartTimes } from './chart-times.js';
import { sumSeries, type ChartComparison, type ChartItem, type ChartSeries, type TimeChartProps } from './chart.js';
import classes from './time-chart.module.css';

interface PlotTooltipProps {
  item: ChartItem;
  /** Series, from bottom to top. */
  series: readonly ChartSeries[];
  comparedItem: ChartComparison['items'][number] | undefined;
  annotations: readonly Annotation[] | undefined;
  times: ChartTimes;
  format: TimeChartProps['format'];
  /** Horizontal position of the item in pixels. */
  left: number;
  /** True to place the tooltip to the left of the item. */
  isOnLeft: boolean;
}

/** Numbers of one chart item, in the order of the stack. Series without visits are left out. */
export function PlotTooltip({
  item,
  series,
  comparedItem,
  annotations,
  times,
  format = formatCount,
  left,
  isOnLeft,
}: PlotTooltipProps) {
  return (
    <div className={classes['tooltip']} style={{ left }} data-left={isOnLeft || undefined} data-chart="tooltip">
      <div className={classes['tooltipTitle']}>{formatItemTime(item.time, times)}</div>
      {annotations !== undefined && <div className={classes['before']}>{joinTexts(annotations)}</div>}
      <dl>
        {series
          .filter(({ key }) => (item.values[key] ?? 0) > 0)
          .toReversed()
          .map(({ key, label, color }) => (
            <div key={key}>
              <dt>
                <svg width="8" height="8">
                  <rect width="8" height="8" rx="2" fill={color} />
                </svg>
                {label}
              </dt>
              <dd>{format(item.values[key]!)}</dd>
            </div>
          ))}
        {series.length !== 1 && (
          <div>
            <dt>Total</dt>
            <dd>{format(sumSeries(series, item))}</dd>
          </div>
        )}
        {comparedItem !== undefined && (
          <div className={classes['before']}>
            <dt>{formatItemTime(comparedItem.time, times)}</dt>
            <dd>{format(comparedItem.visits)}</dd>
          </div>
        )}
      </dl>
    </div>
  );
}
