import { UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { formatItemTime, type ChartTimes } from './chart-times.js';
import { projectQuery } from '../api/queries.js';
import { formatCount } from '../format/count.js';
import { groupByItem, joinTexts, type Annotation } from '../chart-notes/annotations.js';
import { useAnnotations } from '../chart-notes/use-annotations.js';
import { DataTable, type TableColumn } from '../ui/data-table.js';
import { toSelectedRange } from './selected-range.js';
import { sumSeries, type ChartComparison, type ChartItem, type TimeChartProps } from './chart.js';
import classes from './time-chart.module.css';

/** Chart data as a table, newest first. Clicking a time zooms in on it. */
export default function TimeTable({
  title,
  series,
  items,
  comparison,
  times,
  range,
  format = formatCount,
  onNarrow,
}: TimeChartProps) {
  const { projectId = '' } = useParams({ strict: false });
  const { data: project } = useQuery({ ...projectQuery(projectId), enabled: projectId !== '' });
  const annotations = useAnnotations({ range, times });
  const starts = useMemo(() => items.map(({ time }) => time), [items]);
  const annotationsByItem = useMemo(() => groupByItem(annotations, starts), [annotations, starts]);
  const columns = useMemo(
    (): readonly TableColumn<ChartItem>[] => [
      {
        key: 'time',
        label: 'Time',
        isHead: true,
        isTime: true,
        value: ({ time }) => time,
        cell: ({ time }) =>
          onNarrow === undefined ? (
            formatItemTime(time, times)
          ) : (
            <UnstyledButton
              fz="xs"
              c="var(--mantine-color-anchor)"
              title="Zoom in on this time"
              onClick={() => onNarrow(toSelectedRange(starts, starts.indexOf(time), starts.indexOf(time), range))}
            >
              {formatItemTime(time, times)}
            </UnstyledButton>
          ),
      },
      ...series.map(({ key, label }): TableColumn<ChartItem> => ({
        key: `series-${key}`,
        label,
        isNumber: true,
        value: ({ values }) => values[key] ?? 0,
        cell: ({ values }) => format(values[key] ?? 0),
      })),
      ...(series.length === 1 ? [] : [createTotalColumn(series, format)]),
      ...(comparison === undefined ? [] : [createComparisonColumn(comparison, starts, times, format)]),
      ...(annotationsByItem.size === 0 ? [] : [createNoteColumn(annotationsByItem)]),
    ],
    [series, starts, comparison, annotationsByItem, times, range, format, onNarrow],
  );
  return (
    <DataTable
      label={title}
      page={title}
      columns={columns}
      rows={items}
      rowKey={({ time }) => time}
      initial="time"
      owner={project?.name}
      range={range}
      phone="scroll"
      maxHeight={320}
      className={classes['numbers']}
    />
  );
}

const createTotalColumn = (
  series: TimeChartProps['series'],
  format: (value: number) => string,
): TableColumn<ChartItem> => ({
  key: 'all',
  label: 'Total',
  isNumber: true,
  value: (item) => sumSeries(series, item),
  cell: (item) => format(sumSeries(series, item)),
});

const createComparisonColumn = (
  { label, items }: ChartComparison,
  starts: readonly string[],
  times: ChartTimes,
  format: (value: number) => string,
): TableColumn<ChartItem> => ({
  key: 'before',
  label,
  isNumber: true,
  value: ({ time }) => items[starts.indexOf(time)]?.visits ?? null,
  cell: ({ time }) => <ComparedCell item={items[starts.indexOf(time)]} times={times} format={format} />,
});

const createNoteColumn = (annotationsByItem: ReadonlyMap<string, readonly Annotation[]>): TableColumn<ChartItem> => ({
  key: 'notes',
  label: 'Notes',
  value: ({ time }) => joinTexts(annotationsByItem.get(time)),
  cell: ({ time }) => (
    <span title={joinTexts(annotationsByItem.get(time))}>{joinTexts(annotationsByItem.get(time))}</span>
  ),
  // Truncates notes so each row fits on one line. The list below the table shows the full text.
  style: { maxWidth: 240, overflow: 'hidden', textOverflow: 'ellipsis' },
});

interface ComparedCellProps {
  item: { time: string; visits: number } | undefined;
  times: ChartTimes;
  format: (value: number) => string;
}

function ComparedCell({ item, times, format }: ComparedCellProps) {
  if (item === undefined) return '–';
  return <span title={formatItemTime(item.time, times)}>{format(item.visits)}</span>;
}
