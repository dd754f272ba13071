import '@mantine/charts/styles.css';
import { AreaChart, ChartTooltip } from '@mantine/charts';
import { clamp, useWindowEvent } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { Area, ReferenceArea, ReferenceLine } from 'recharts';
import { byItem, joinedText } from '../chart-notes/annotations.js';
import { MARKS_HEIGHT, NoteMark } from '../chart-notes/note-mark.js';
import { useAnnotations } from '../chart-notes/use-annotations.js';
import { countText } from '../format/count.js';
import { itemText, tickText, ticksOf } from './chart-times.js';
import { narrowed } from './narrowed.js';
import { CHART_HEIGHT, COMPARISON_COLOR, totalOf, type TimeChartProps } from './chart.js';
import classes from './time-chart.module.css';

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact' });

/** Of all series together, below them in the tooltip. */
const ALL = 'all';
/** Of what the chart is compared with. */
const BEFORE = 'before';
const HATCHING = 'unfinished';

interface PlotProps extends Omit<TimeChartProps, 'isTable' | 'title'> {
  /** The last item is still in progress, and will be more. */
  isUnfinished: boolean;
}

/** Areas one upon the other; dragging over them chooses a part of the range. */
export default function AreaPlot({ series, items, comparison, times, range, onNarrow, isUnfinished }: PlotProps) {
  const plot = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const before = comparison?.items ?? [];
  const data = items.map((item, index) => ({
    time: item.time,
    ...item.values,
    [ALL]: totalOf(series, item),
    [BEFORE]: before[index]?.visits,
  }));
  const named = series.map(({ key, label, color }) => ({ name: key, label, color }));
  const starts = items.map(({ time }) => time);
  const noted = byItem(useAnnotations({ range, times }), starts);
  const boxOfGrid = (): DOMRect => plot.current!.querySelector('.recharts-cartesian-grid')!.getBoundingClientRect();
  // Not the index that Recharts tells, which lags behind while it is busy.
  const nearest = (x: number): number => {
    const { left, width } = boxOfGrid();
    return clamp(Math.round(((x - left) / width) * (starts.length - 1)), 0, starts.length - 1);
  };
  // Also outside of the plot: beyond its edge is the first or the last item.
  useWindowEvent('mouseup', ({ clientX }) => {
    if (drag === null) return;
    const to = nearest(clientX);
    if (to !== drag.from) onNarrow?.(narrowed(starts, drag.from, to, range));
    setDrag(null);
  });
  return (
    <div
      ref={plot}
      onMouseDown={({ button, clientX, clientY }) => {
        if (button !== 0 || !onNarrow) return;
        const { left, right, top, bottom } = boxOfGrid();
        const isInGrid = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
        if (isInGrid) setDrag({ from: nearest(clientX), to: nearest(clientX) });
      }}
      onMouseMove={({ buttons, clientX }) => {
        // Without a button it was released where no event comes from, outside of the window.
        if (drag !== null) setDrag(buttons === 0 ? null : { ...drag, to: nearest(clientX) });
      }}
    >
      <AreaChart
        // What the pointer was at in another range is elsewhere in this one.
        key={`${range.from} ${range.to}`}
        h={CHART_HEIGHT}
        className={classes['plot']}
        data={data}
        dataKey="time"
        type="stacked"
        series={named}
        curveType="linear"
        withDots={items.length < 6}
        withGradient={false}
        fillOpacity={0.85}
        strokeWidth={0}
        tickLine="none"
        accessibilityLayer={false}
        valueFormatter={countText}
        xAxisProps={{
          ticks: ticksOf(starts, times),
          interval: 'equidistantPreserveStart',
          tickFormatter: (time: string) => tickText(time, times),
          minTickGap: 16,
        }}
        yAxisProps={{ tickFormatter: (value: number) => COMPACT.format(value), width: 44, allowDecimals: false }}
        areaChartProps={{ margin: { top: MARKS_HEIGHT } }}
        tooltipProps={{
          content: ({ label: time, payload: drawn }) => {
            const payload = drawn.filter(({ dataKey }) => dataKey !== BEFORE);
            const compared = before[starts.indexOf(String(time))];
            return (
              // Away from the chart there is none.
              payload.length > 0 && (
                <ChartTooltip
                  label={
                    <>
                      {itemText(String(time), times)}
                      {compared !== undefined && (
                        <div className={classes['before']}>
                          {itemText(compared.time, times)}: {countText(compared.visits)}
                        </div>
                      )}
                      {noted.has(String(time)) && (
                        <div className={classes['before']}>{joinedText(noted.get(String(time)))}</div>
                      )}
                    </>
                  }
                  payload={[...payload, { ...payload[0], name: ALL, dataKey: ALL, color: 'transparent' }]}
                  series={[...named, { name: ALL, label: 'All', color: 'transparent' }]}
                  valueFormatter={countText}
                  classNames={{ tooltipItem: classes['tooltipItem']! }}
                />
              )
            );
          },
        }}
      >
        <defs>
          <pattern id={HATCHING} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="3" height="6" fill="var(--mantine-color-default)" />
          </pattern>
        </defs>
        {isUnfinished && starts.length > 1 && (
          <ReferenceArea x1={starts.at(-2)!} x2={starts.at(-1)!} fill={`url(#${HATCHING})`} fillOpacity={0.8} />
        )}
        {comparison !== undefined && (
          <Area
            dataKey={BEFORE}
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
        {[...noted].map(([time, annotations]) => (
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
