import type { AlertPreview } from '../../api/alerts.js';
import { formatCount } from '../../format/count.js';
import classes from './alert-chart.module.css';

const HEIGHT = 100;
/** Lowest bar that is still visible. */
const MIN_HEIGHT = 1;
/** Height of the lines below bars that fired, so they don't only differ by color. */
const MARK_HEIGHT = 3;

interface AlertChartProps {
  preview: AlertPreview;
  /** True if the alert really fired as in the preview. */
  isActual: boolean;
  timeZone: string;
  /** Index of the selected period, or null. */
  selected: number | null;
  onSelect: (index: number | null) => void;
  /** Describes a period for screen readers. */
  describe: (index: number) => string;
}

/** Returns the indexes of the chart's periods in which the alert would have fired. */
export function findFired({ chart, events }: AlertPreview): ReadonlySet<number> {
  const starts = chart.map(({ time }) => Date.parse(time));
  const length = starts.length > 1 ? starts[1]! - starts[0]! : Infinity;
  // Evaluations happen at the end of a quarter hour, so a period contains those after its start.
  return new Set(events.map(({ fired_at: at }) => Math.ceil((Date.parse(at) - starts[0]!) / length) - 1));
}

/**
 * Bars for an alert's measured values in the last 30 days, with the line from which it fires. Bars that fired are red and
 * underlined. Pointing at a bar, or moving the slider over the chart, selects it.
 */
export function AlertChart({ preview, isActual, timeZone, selected, onSelect, describe }: AlertChartProps) {
  const { chart } = preview;
  if (chart.length === 0) return null;
  const fired = findFired(preview);
  const highest = Math.max(1, ...chart.flatMap(({ value, boundary }) => [value, boundary ?? 0])) * 1.05;
  const toY = (value: number): number => HEIGHT - (value / highest) * HEIGHT;
  const format = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone });
  const maxValue = Math.max(...chart.map(({ value }) => value));
  return (
    <div>
      <div className={classes['plot']}>
        <svg
          className={classes['chart']}
          viewBox={`0 0 ${chart.length} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Values in the last 30 days, at most ${formatCount(Math.round(maxValue))}. The alert ${isActual ? 'fired' : 'would have fired'} in ${fired.size} of ${chart.length} periods.`}
        >
          {selected !== null && <rect className={classes['cursor']} x={selected} width={1} y={0} height={HEIGHT} />}
          {chart.map(({ time, value }, index) => (
            <rect
              key={time}
              className={classes['bar']}
              data-fired={fired.has(index) || undefined}
              x={index + 0.1}
              width={0.8}
              y={Math.min(toY(value), HEIGHT - MIN_HEIGHT)}
              height={Math.max(HEIGHT - toY(value), MIN_HEIGHT)}
            />
          ))}
          {[...fired].map((index) => (
            <rect key={index} className={classes['mark']} x={index} width={1} y={HEIGHT + 3} height={MARK_HEIGHT} />
          ))}
          <path className={classes['boundary']} d={toPath(chart, toY)} />
        </svg>
        <input
          type="range"
          className={classes['slider']}
          aria-label="Period"
          aria-valuetext={describe(selected ?? chart.length - 1)}
          min={0}
          max={chart.length - 1}
          value={selected ?? chart.length - 1}
          onChange={({ currentTarget }) => onSelect(Number(currentTarget.value))}
          onPointerMove={({ nativeEvent, currentTarget }) => {
            const index = Math.floor((nativeEvent.offsetX / currentTarget.clientWidth) * chart.length);
            onSelect(Math.min(chart.length - 1, Math.max(0, index)));
          }}
          onPointerLeave={() => onSelect(null)}
        />
      </div>
      <div className={classes['keys']}>
        <span>{format.format(Date.parse(chart[0]!.time))}</span>
        <span className={classes['key']} data-line>
          Threshold
        </span>
        <span className={classes['key']} data-fired>
          {isActual ? 'Fired' : 'Would have fired'}
        </span>
        <span style={{ marginLeft: 'auto' }}>{format.format(Date.parse(chart.at(-1)!.time))}</span>
      </div>
    </div>
  );
}

/** Returns a stepped line with gaps where the boundary is unknown. */
function toPath(chart: AlertPreview['chart'], toY: (value: number) => number): string {
  return chart
    .map(({ boundary }, index) => {
      if (boundary === null) return '';
      const y = toY(boundary);
      const isContinued = index > 0 && chart[index - 1]!.boundary !== null;
      return `${isContinued ? 'L' : 'M'}${index} ${y}H${index + 1}`;
    })
    .join('');
}
