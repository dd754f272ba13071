import '@mantine/charts/styles.css';
import { AreaChart, ChartTooltip } from '@mantine/charts';
import { clamp, useWindowEvent } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { Area, ReferenceArea, ReferenceLine } from 'recharts';
import { groupByItem, joinTexts } from '../chart-notes/annotations.js';
import { MARKS_HEIGHT_PX, NoteMark } from '../chart-notes/note-mark.js';
import { useAnnotations } from '../chart-notes/use-annotations.js';
import { formatCount } from '../format/count.js';
import { formatItemTime, formatTick, selectTicks } from './chart-times.js';
import { toSelectedRange } from './selected-range.js';
import { CHART_HEIGHT_PX, COMPARISON_COLOR, sumSeries, type TimeChartProps } from './chart.js';
import classes from './time-chart.module.css';

const COMPACT_FORMAT = new Intl.NumberFormat('en', { notation: 'compact' });

const TOTAL_KEY = 'all';
const COMPARISON_KEY = 'before';
const HATCH_PATTERN_ID = 'unfinished';

interface PlotProps extends Omit<TimeChartProps, 'isTable' | 'title'> {
  /** True if the last item is still in progress and therefore hatched. */
  isUnfinished: boolean;
}

/** Stacked area chart. Dragging across it zooms in on part of the range. */
export default function AreaPlot({ series, items, comparison, times, range, onNarrow, isUnfinished }: PlotProps) {
  const plot = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const comparisonItems = comparison?.items ?? [];
  const data = items.map((item, index) => ({
    time: item.time,
    ...item.values,
    [TOTAL_KEY]: sumSeries(series, item),
    [COMPARISON_KEY]: comparisonItems[index]?.visits,
  }));
  const plotSeries = series.map(({ key, label, color }) => ({ name: key, label, color }));
  const starts = items.map(({ time }) => time);
  const annotationsByItem = groupByItem(useAnnotations({ range, times }), starts);
  const getGridRect = (): DOMRect => plot.current!.querySelector('.recharts-cartesian-grid')!.getBoundingClientRect();
  // Recharts also reports an index, but it lags behind when the page is busy.
  const toNearestIndex = (x: number): number => {
    const { left, width } = getGridRect();
    return clamp(Math.round(((x - left) / width) * (starts.length - 1)), 0, starts.length - 1);
  };
  // Listens on the window because a drag can end outside the plot, which selects the first or last item.
  useWindowEvent('mouseup', ({ clientX }) => {
    if (drag === null) return;
    const to = toNearestIndex(clientX);
    if (to !== drag.from) onNarrow?.(toSelectedRange(starts, drag.from, to, range));
    setDrag(null);
  });
  return (
    <div
      ref={plot}
      onMouseDown={({ button, clientX, clientY }) => {
        if (button !== 0 || !onNarrow) return;
        const { left, right, top, bottom } = getGridRect();
        const isInGrid = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
        if (isInGrid) setDrag({ from: toNearestIndex(clientX), to: toNearestIndex(clientX) });
      }}
      onMouseMove={({ buttons, clientX }) => {
        // There's no event if the button was released outside the window, so check whether it's still pressed.
        if (drag !== null) setDrag(buttons === 0 ? null : { ...drag, to: toNearestIndex(clientX) });
      }}
    >
      <AreaChart
        // Remounts the chart when the range changes. Otherwise, the tooltip would stay at its old position.
        key={`${range.from} ${range.to}`}
        h={CHART_HEIGHT_PX}
        className={classes['plot']}
        data={data}
        dataKey="time"
        type="stacked"
        series={plotSeries}
        curveType="linear"
        withDots={items.length < 6}
        withGradient={false}
        fillOpacity={0.85}
        strokeWidth={0}
        tickLine="none"
        accessibilityLayer={false}
        valueFormatter={formatCount}
        xAxisProps={{
          ticks: selectTicks(starts, times),
          interval: 'equidistantPreserveStart',
          tickFormatter: (time: string) => formatTick(time, times),
          minTickGap: 16,
        }}
        yAxisProps={{ tickFormatter: (value: number) => COMPACT_FORMAT.format(value), width: 44, allowDecimals: false }}
        areaChartProps={{ margin: { top: MARKS_HEIGHT_PX } }}
        tooltipProps={{
          content: ({ label: time, payload: drawnPayload }) => {
            const payload = drawnPayload.filter(({ dataKey }) => dataKey !== COMPARISON_KEY);
            const comparedItem = comparisonItems[starts.indexOf(String(time))];
            return (
              // The payload is empty while the pointer is outside the chart.
              payload.length > 0 && (
                <ChartTooltip
                  label={
                    <>
                      {formatItemTime(String(time), times)}
                      {comparedItem !== undefined && (
                        <div className={classes['before']}>
                          {formatItemTime(comparedItem.time, times)}: {formatCount(comparedItem.visits)}
                        </div>
                      )}
                      {annotationsByItem.has(String(time)) && (
                        <div className={classes['before']}>{joinTexts(annotationsByItem.get(String(time)))}</div>
                      )}
                    </>
                  }
                  payload={[...payload, { ...payload[0], name: TOTAL_KEY, dataKey: TOTAL_KEY, color: 'transparent' }]}
                  series={[...plotSeries, { name: TOTAL_KEY, label: 'Total', color: 'transparent' }]}
                  valueFormatter={formatCount}
                  classNames={{ tooltipItem: classes['tooltipItem']! }}
                />
              )
            );
          },
        }}
      >
        <defs>
          <pattern
            id={HATCH_PATTERN_ID}
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect width="3" height="6" fill="var(--mantine-color-default)" />
          </pattern>
        </defs>
        {isUnfinished && starts.length > 1 && (
          <ReferenceArea x1={starts.at(-2)!} x2={starts.at(-1)!} fill={`url(#${HATCH_PATTERN_ID})`} fillOpacity={0.8} />
        )}
        {comparison !== undefined && (
          <Area
            dataKey={COMPARISON_KEY}
            type="linear"
            fill="none"
            stroke={COMPARISON_COLOR}
            strokeWidth={1.5}
            strokeDasharray="5 4"
            dot={false}
            activeDot={false}
            isAnimationActive={false}
          />
        )}
        {[...annotationsByItem].map(([time, annotations]) => (
          <ReferenceLine
            key={time}
            x={time}
            stroke="var(--mantine-color-anchor)"
            strokeDasharray="2 3"
            label={<NoteMark annotations={annotations} />}
          />
        ))}
        {drag !== null && drag.from !== drag.to && (
          <ReferenceArea
            x1={starts[drag.from]!}
            x2={starts[drag.to]!}
            fill="var(--mantine-primary-color-filled)"
            fillOpacity={0.15}
          />
        )}
      </AreaChart>
    </div>
  );
}
