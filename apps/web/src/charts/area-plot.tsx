import '@mantine/charts/styles.css';
import { AreaChart } from '@mantine/charts';
import { useState } from 'react';
import { ReferenceArea } from 'recharts';
import { itemText, tickText, ticksOf } from './chart-times.js';
import { narrowed } from './narrowed.js';
import { CHART_HEIGHT, type TimeChartProps } from './chart.js';
import classes from './time-chart.module.css';

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact' });
const NUMBER = new Intl.NumberFormat('en');

type PlotProps = Omit<TimeChartProps, 'isTable' | 'title'>;

/** Areas one upon the other; dragging over them chooses a part of the range. */
export default function AreaPlot({ series, items, times, range, onNarrow }: PlotProps) {
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const data = items.map(({ time, values }) => ({ time, ...values }));
  const starts = items.map(({ time }) => time);
  const indexOf = ({ activeTooltipIndex: index }: { activeTooltipIndex?: unknown }): number | null =>
    index === undefined || index === null ? null : Number(index);
  const end = (): void => {
    if (drag !== null && drag.from !== drag.to) onNarrow(narrowed(starts, drag.from, drag.to, range));
    setDrag(null);
  };
  return (
    <AreaChart
      h={CHART_HEIGHT}
      className={classes['plot']}
      data={data}
      dataKey="time"
      type="stacked"
      series={series.map(({ key, label, color }) => ({ name: key, label, color }))}
      curveType="linear"
      withDots={items.length < 6}
      withGradient={false}
      fillOpacity={0.85}
      strokeWidth={0}
      tickLine="none"
      accessibilityLayer={false}
      valueFormatter={(value) => NUMBER.format(value)}
      xAxisProps={{
        ticks: ticksOf(starts, times),
        interval: 'equidistantPreserveStart',
        tickFormatter: (time: string) => tickText(time, times),
        minTickGap: 16,
      }}
      yAxisProps={{ tickFormatter: (value: number) => COMPACT.format(value), width: 44, allowDecimals: false }}
      tooltipProps={{
        // Away from the chart there is none.
        labelFormatter: (time) => (time === undefined ? '' : itemText(String(time), times)),
      }}
      areaChartProps={{
        onMouseDown: (state) => {
          const index = indexOf(state);
          if (index !== null) setDrag({ from: index, to: index });
        },
        onMouseMove: (state) => {
          const index = indexOf(state);
          if (drag !== null && index !== null && index !== drag.to) setDrag({ ...drag, to: index });
        },
        onMouseUp: end,
      }}
    >
      {drag !== null && drag.from !== drag.to && (
        <ReferenceArea
          x1={starts[drag.from]!}
          x2={starts[drag.to]!}
          fill="var(--mantine-primary-color-filled)"
          fillOpacity={0.15}
        />
      )}
    </AreaChart>
  );
}
