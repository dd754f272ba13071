import { clamp, useElementSize, useWindowEvent } from '@mantine/hooks';
import { useId, useMemo, useRef, useState, type MouseEvent } from 'react';
import { groupByItem } from '../chart-notes/annotations.js';
import { MARKS_HEIGHT_PX, NoteMark } from '../chart-notes/note-mark.js';
import { useAnnotations } from '../chart-notes/use-annotations.js';
import { countIntervals, layOutBars, selectLevels, toBarsPath, toLevelsPath, type BarSpan } from './bar-geometry.js';
import { formatTick, selectTicks } from './chart-times.js';
import { CHART_HEIGHT_PX, COMPARISON_COLOR, stackSeries, sumSeries, type TimeChartProps } from './chart.js';
import { PlotTooltip } from './plot-tooltip.js';
import { toSelectedRange } from './selected-range.js';
import classes from './time-chart.module.css';

const COMPACT_FORMAT = new Intl.NumberFormat('en-US', { notation: 'compact' });

const LEFT_PX = 44;
const AXIS_HEIGHT_PX = 26;
/** Minimum distance between the labels of the time axis. */
const MIN_TICK_DISTANCE_PX = 66;
/** Minimum width of unknown items for a label. */
const MIN_LABEL_WIDTH_PX = 80;

interface PlotProps extends Omit<TimeChartProps, 'isTable' | 'title'> {
  /** Indexes of items that cover only part of their bucket, which are hatched. */
  partialItems: readonly number[];
  /** Number of items at the start whose values are unknown. */
  unknownCount?: number;
}

/** Stacked bars over time. Dragging across them zooms in on part of the range. */
export default function BarPlot(props: PlotProps) {
  const {
    series,
    items,
    comparison,
    marks = {},
    times,
    range,
    unit = 1,
    format,
    onNarrow,
    partialItems,
    unknownCount = 0,
    height = CHART_HEIGHT_PX,
    cut,
  } = props;
  const bottom = height - AXIS_HEIGHT_PX;
  const { ref, width } = useElementSize<HTMLDivElement>();
  const plot = useRef<SVGSVGElement>(null);
  const hatchId = useId();
  const [hovered, setHovered] = useState<number | null>(null);
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const starts = useMemo(() => items.map(({ time }) => time), [items]);
  const annotationsByItem = groupByItem(useAnnotations({ range, times }), starts);
  const totals = items.map((item) => sumSeries(series, item));
  const compared = (comparison?.items ?? []).slice(0, items.length).map(({ visits }) => visits);
  const isCut = (index: number): boolean => cut !== undefined && isWithin(starts[index]!, cut);
  const scaled = totals
    .map((value, index) => Math.max(value, compared[index] ?? 0))
    .filter((_, index) => !isCut(index));
  const levels = selectLevels(Math.max(0, ...scaled) / unit, countIntervals(bottom - MARKS_HEIGHT_PX)).map(
    (level) => level * unit,
  );
  const plotWidth = Math.max(0, width - LEFT_PX);
  const layout = layOutBars(items.length, plotWidth);
  // Bars that are cut off show the parts of the entire stack.
  const toVisible = ({ index, from, to }: BarSpan): BarSpan => {
    const factor = isCut(index) ? Math.min(1, levels.at(-1)! / totals[index]!) : 1;
    return { index, from: factor * from, to: factor * to };
  };
  const toY = (value: number): number =>
    Math.max(MARKS_HEIGHT_PX, bottom - (value / levels.at(-1)!) * (bottom - MARKS_HEIGHT_PX));
  const levelsPath = toLevelsPath(compared, layout, toY);
  const toCenter = (index: number): number => (index + 0.5) * layout.slot;
  const toIndex = (clientX: number): number => {
    const { left } = plot.current!.getBoundingClientRect();
    return clamp(Math.floor((clientX - left - LEFT_PX) / layout.slot), 0, items.length - 1);
  };
  const isInGrid = ({ clientX, clientY }: MouseEvent): boolean => {
    if (plot.current === null) return false;
    const { left, right, top } = plot.current.getBoundingClientRect();
    const [x, y] = [clientX - left - LEFT_PX, clientY - top];
    return x >= 0 && clientX <= right && y >= MARKS_HEIGHT_PX && y <= bottom && items.length > 0;
  };
  // Listens on the window because a drag can end outside the plot, which selects the first or last item.
  useWindowEvent('mouseup', ({ clientX }) => {
    if (drag === null || plot.current === null) return;
    const to = toIndex(clientX);
    if (to !== drag.from) onNarrow?.(toSelectedRange(starts, drag.from, to, range));
    setDrag(null);
  });
  const hoveredItem = hovered === null ? undefined : items[hovered];
  const toColumn = (from: number, to: number) => ({
    x: Math.min(from, to) * layout.slot,
    width: (Math.abs(to - from) + 1) * layout.slot,
    y: MARKS_HEIGHT_PX,
    height: bottom - MARKS_HEIGHT_PX,
  });
  return (
    <div
      ref={ref}
      className={classes['plot']}
      style={{ height }}
      data-zoomable={onNarrow !== undefined || undefined}
      onMouseDown={(event) => {
        if (event.button !== 0 || !onNarrow || !isInGrid(event)) return;
        setDrag({ from: toIndex(event.clientX), to: toIndex(event.clientX) });
      }}
      onMouseMove={(event) => {
        setHovered(isInGrid(event) ? toIndex(event.clientX) : null);
        // There's no event if the button was released outside the window, so check whether it's still pressed.
        if (drag !== null) setDrag(event.buttons === 0 ? null : { ...drag, to: toIndex(event.clientX) });
      }}
      onMouseLeave={() => setHovered(null)}
    >
      {plotWidth > 0 && (
        <svg ref={plot} width={width} height={height} className={classes['bars']}>
          <defs>
            <pattern id={hatchId} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <rect width="2.5" height="5" className={classes['hatch']} />
            </pattern>
            <pattern
              id={`${hatchId}-unknown`}
              width="8"
              height="8"
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(45)"
            >
              <rect width="1" height="8" className={classes['unknownHatch']} />
            </pattern>
          </defs>
          <g transform={`translate(${LEFT_PX})`}>
            <g className={classes['grid']}>
              <rect {...toColumn(0, items.length - 1)} fill="none" data-chart="grid" />
              {levels.map((level) => (
                <g key={level}>
                  <path d={`M0 ${toY(level)}h${plotWidth}`} />
                  <text x={-8} y={toY(level)} dy="0.32em" textAnchor="end">
                    {format?.(level) ?? COMPACT_FORMAT.format(level)}
                  </text>
                </g>
              ))}
              <g transform={`translate(0 ${bottom})`}>
                <TickLabels starts={starts} times={times} toCenter={toCenter} width={plotWidth} />
              </g>
            </g>
            {unknownCount > 0 && (
              <g className={classes['unknown']} data-chart="unknown">
                <rect {...toColumn(0, unknownCount - 1)} fill={`url(#${hatchId}-unknown)`} />
                {unknownCount * layout.slot >= MIN_LABEL_WIDTH_PX && (
                  <text x={(unknownCount * layout.slot) / 2} y={(MARKS_HEIGHT_PX + bottom) / 2} textAnchor="middle">
                    Not analyzed
                  </text>
                )}
              </g>
            )}
            {hovered !== null && (
              <rect {...toColumn(hovered, hovered)} className={classes['cursor']} data-chart="cursor" />
            )}
            {stackSeries(series, items).map((spans, index) => (
              <path
                key={series[index]!.key}
                d={toBarsPath(spans.map(toVisible), layout, toY)}
                fill={series[index]!.color}
                data-chart="bars"
              />
            ))}
            <path
              d={toBarsPath(
                partialItems.map((index) => ({ index, from: 0, to: totals[index] ?? 0 })),
                layout,
                toY,
              )}
              fill={`url(#${hatchId})`}
              data-chart="partial"
            />
            {compared.length > 0 && (
              <path d={levelsPath} fill="none" stroke={COMPARISON_COLOR} strokeWidth="1.25" data-chart="comparison" />
            )}
            <CutMark
              indexes={totals.flatMap((value, index) => (isCut(index) && value > levels.at(-1)! ? index : []))}
              {...{ layout, totals, format }}
            />
            {starts.map(
              (time, index) =>
                marks[time] !== undefined && (
                  <text
                    key={time}
                    x={toCenter(index)}
                    y={toY(Math.max(totals[index]!, compared[index] ?? 0)) - 6}
                    textAnchor="middle"
                    className={classes['mark']}
                  >
                    {marks[time]}
                  </text>
                ),
            )}
            {drag !== null && drag.from !== drag.to && (
              <rect {...toColumn(drag.from, drag.to)} className={classes['selection']} />
            )}
            {[...annotationsByItem].map(([time, annotations]) => (
              <g key={time}>
                <path
                  d={`M${toCenter(starts.indexOf(time))} ${MARKS_HEIGHT_PX}V${bottom}`}
                  stroke="var(--mantine-color-anchor)"
                  strokeDasharray="2 3"
                />
                <NoteMark annotations={annotations} x={toCenter(starts.indexOf(time))} />
              </g>
            ))}
          </g>
        </svg>
      )}
      {hovered !== null && hovered >= unknownCount && hoveredItem !== undefined && (
        <PlotTooltip
          item={hoveredItem}
          series={series}
          comparedItem={comparison?.items[hovered]}
          annotations={annotationsByItem.get(hoveredItem.time)}
          times={times}
          format={format}
          left={LEFT_PX + toCenter(hovered)}
          isOnLeft={toCenter(hovered) > plotWidth / 2}
        />
      )}
    </div>
  );
}

const isWithin = (time: string, { from, to }: TimeChartProps['range']): boolean =>
  Date.parse(time) >= Date.parse(from) && Date.parse(time) < Date.parse(to);

interface CutMarkProps extends Pick<PlotProps, 'format'> {
  /** Indexes of the bars that are cut off. */
  indexes: readonly number[];
  layout: ReturnType<typeof layOutBars>;
  totals: readonly number[];
}

/** Break across bars that are cut off, and the highest value of them. */
function CutMark({ indexes, layout: { slot }, totals, format = COMPACT_FORMAT.format }: CutMarkProps) {
  const [first, last] = [indexes[0], indexes.at(-1)];
  if (first === undefined || last === undefined) return null;
  const highest = Math.max(...indexes.map((index) => totals[index]!));
  const isOnLeft = first < totals.length / 2;
  return (
    <g data-chart="cut">
      {indexes.map((index) => (
        <path
          key={index}
          d={`M${index * slot} ${MARKS_HEIGHT_PX + 16}l${slot} -8`}
          stroke="var(--mantine-color-default)"
          strokeWidth="4"
        />
      ))}
      <text
        x={isOnLeft ? first * slot : (last + 1) * slot}
        y={MARKS_HEIGHT_PX - 5}
        textAnchor={isOnLeft ? 'start' : 'end'}
        className={classes['mark']}
      >
        Up to {format(highest)}
      </text>
    </g>
  );
}

interface TickLabelsProps extends Pick<PlotProps, 'times'> {
  starts: readonly string[];
  toCenter: (index: number) => number;
  width: number;
}

/** Labels of the time axis. Leaves out labels that would overlap. */
function TickLabels({ starts, times, toCenter, width }: TickLabelsProps) {
  const ticks = selectTicks(starts, times);
  const step = Math.max(1, Math.ceil((MIN_TICK_DISTANCE_PX * ticks.length) / width));
  return ticks
    .filter((_, index) => index % step === 0)
    .map((time) => {
      const center = toCenter(starts.indexOf(time));
      const isCut = center > width - MIN_TICK_DISTANCE_PX / 2;
      return (
        <text key={time} x={isCut ? width : center} y={18} textAnchor={isCut ? 'end' : 'middle'}>
          {formatTick(time, times)}
        </text>
      );
    });
}
