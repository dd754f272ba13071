import { UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { itemText, type ChartTimes } from './chart-times.js';
import { projectQuery } from '../api/queries.js';
import { countText } from '../format/count.js';
import { byItem, joinedText, type Annotation } from '../chart-notes/annotations.js';
import { useAnnotations } from '../chart-notes/use-annotations.js';
import { DataTable, type TableColumn } from '../ui/data-table.js';
import { narrowed } from './narrowed.js';
import { totalOf, type ChartComparison, type ChartItem, type TimeChartProps } from './chart.js';
import classes from './time-chart.module.css';

/** Table of a chart's data, newest first. Clicking a time zooms to it. */
export default function TimeTable({ title, series, items, comparison, times, range, onNarrow }: TimeChartProps) {
  const { projectId = '' } = useParams({ strict: false });
  const { data: project } = useQuery({ ...projectQuery(projectId), enabled: projectId !== '' });
  const annotations = useAnnotations({ range, times });
  const starts = useMemo(() => items.map(({ time }) => time), [items]);
  const noted = useMemo(() => byItem(annotations, starts), [annotations, starts]);
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
            itemText(time, times)
          ) : (
            <UnstyledButton
              fz="xs"
              c="var(--mantine-color-anchor)"
              title="Zoom to this time"
              onClick={() => onNarrow(narrowed(starts, starts.indexOf(time), starts.indexOf(time), range))}
            >
              {itemText(time, times)}
            </UnstyledButton>
          ),
      },
      ...series.map(({ key, label }): TableColumn<ChartItem> => ({
        key: `series-${key}`,
        label,
        isNumber: true,
        value: ({ values }) => values[key] ?? 0,
      })),
      { key: 'all', label: 'All', isNumber: true, value: (item) => totalOf(series, item) },
      ...(comparison === undefined ? [] : [comparedColumn(comparison, starts, times)]),
      ...(noted.size === 0 ? [] : [noteColumn(noted)]),
    ],
    [series, starts, comparison, noted, times, range, onNarrow],
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

const comparedColumn = (
  { label, items }: ChartComparison,
  starts: readonly string[],
  times: ChartTimes,
): TableColumn<ChartItem> => ({
  key: 'before',
  label,
  isNumber: true,
  value: ({ time }) => items[starts.indexOf(time)]?.visits ?? null,
  cell: ({ time }) => <Compared item={items[starts.indexOf(time)]} times={times} />,
});

const noteColumn = (noted: ReadonlyMap<string, readonly Annotation[]>): TableColumn<ChartItem> => ({
  key: 'notes',
  label: 'Notes',
  value: ({ time }) => joinedText(noted.get(time)),
  cell: ({ time }) => <span title={joinedText(noted.get(time))}>{joinedText(noted.get(time))}</span>,
  // Keeps each row on one line. The list below the table has the full text.
  style: { maxWidth: 240, overflow: 'hidden', textOverflow: 'ellipsis' },
});

function Compared({ item, times }: { item: { time: string; visits: number } | undefined; times: ChartTimes }) {
  if (item === undefined) return '–';
  return <span title={itemText(item.time, times)}>{countText(item.visits)}</span>;
}
