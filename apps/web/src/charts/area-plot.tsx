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

/** Key of the total, shown last in the tooltip. */
const ALL = 'all';
const BEFORE = 'before';
const HATCHING = 'unfinished';

interface PlotProps extends Omit<TimeChartProps, 'isTable' | 'title'> {
  /** True if the last item is still in progress. It is drawn hatched. */
  isUnfinished: boolean;
}

/** Stacked area chart. Dragging across it selects a part of the range. */
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
  // Recharts reports an index, too, but it lags behind when the page is busy.
  const nearest = (x: number): number => {
    const { left, width } = boxOfGrid();
    return clamp(Math.round(((x - left) / width) * (starts.length - 1)), 0, starts.length - 1);
  };
  // Listens on the window, so a drag can end outside the plot. It then ends at the first or last item.
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
        // If no button is pressed, it was released outside the window, where no event is fired.
        if (drag !== null) setDrag(buttons === 0 ? null : { ...drag, to: nearest(clientX) });
      }}
    >
      <AreaChart
        // A new range needs a new chart: the old one would keep its tooltip at the previous position.
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
              // The payload is empty while the pointer is outside the chart.
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
