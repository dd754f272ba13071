import { Table, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { itemText, type ChartTimes } from './chart-times.js';
import { projectQuery } from '../api/queries.js';
import { countText } from '../format/count.js';
import { byItem, joinedText, type Annotation } from '../chart-notes/annotations.js';
import { useAnnotations } from '../chart-notes/use-annotations.js';
import { SortHeads } from '../ui/sort-heads.js';
import type { Column, Sort } from '../ui/sorting.js';
import { INSTANCE, TableTools } from '../ui/table-tools.js';
import { useSorted } from '../ui/use-sorted.js';
import { narrowed } from './narrowed.js';
import { totalOf, type ChartComparison, type ChartItem, type ChartSeries, type TimeChartProps } from './chart.js';
import classes from './time-chart.module.css';

const LATEST: Sort = { key: 'time', direction: 'descending' };

const columnsOf = (
  series: readonly ChartSeries[],
  starts: readonly string[],
  comparison: ChartComparison | undefined,
  noted: ReadonlyMap<string, readonly Annotation[]>,
): Column<ChartItem>[] => [
  { key: 'time', label: 'Time', isLatestFirst: true, value: ({ time }) => time },
  ...series.map(({ key, label }): Column<ChartItem> => ({
    key: `series-${key}`,
    label,
    isNumber: true,
    value: ({ values }) => values[key] ?? 0,
  })),
  { key: 'all', label: 'All', isNumber: true, value: (item) => totalOf(series, item) },
  ...(comparison === undefined
    ? []
    : [
        {
          key: 'before',
          label: comparison.label,
          isNumber: true as const,
          value: ({ time }: ChartItem) => comparison.items[starts.indexOf(time)]?.visits ?? null,
        },
      ]),
  ...(noted.size === 0
    ? []
    : [{ key: 'notes', label: 'Notes', value: ({ time }: ChartItem) => joinedText(noted.get(time)) }]),
];

/** What a chart shows, in numbers, the newest first; each row narrows the range to itself. */
export default function TimeTable({ title, series, items, comparison, times, range, onNarrow }: TimeChartProps) {
  const { projectId = '' } = useParams({ strict: false });
  const { data: project } = useQuery({ ...projectQuery(projectId), enabled: projectId !== '' });
  const owner = project?.name ?? INSTANCE;
  const annotations = useAnnotations({ range, times });
  const starts = useMemo(() => items.map(({ time }) => time), [items]);
  const noted = useMemo(() => byItem(annotations, starts), [annotations, starts]);
  const columns = useMemo(() => columnsOf(series, starts, comparison, noted), [series, starts, comparison, noted]);
  const { rows, sort, onSort } = useSorted(items, columns, LATEST);
  return (
    <>
      <TableTools columns={columns} sort={sort} onSort={onSort} rows={rows} owner={owner} page={title} range={range} />
      <Table.ScrollContainer
        minWidth={140 + 90 * (columns.length - 1) + (noted.size === 0 ? 0 : 110)}
        mah={320}
        type="native"
        tabIndex={0}
        role="region"
        aria-label={title}
      >
        <Table fz="xs" verticalSpacing={3} className={`numbers ${classes['numbers']}`} stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <SortHeads columns={columns} sort={sort} onSort={onSort} Th={Table.Th} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ time, values }) => (
              <Table.Tr key={time}>
                <Table.Th scope="row" fw={400}>
                  {onNarrow === undefined ? (
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
                  )}
                </Table.Th>
                {series.map(({ key }) => (
                  <Table.Td key={key} ta="right">
                    {countText(values[key] ?? 0)}
                  </Table.Td>
                ))}
                <Table.Td ta="right">{countText(totalOf(series, { time, values }))}</Table.Td>
                {comparison !== undefined && (
                  <Table.Td ta="right">
                    <Compared item={comparison.items[starts.indexOf(time)]} times={times} />
                  </Table.Td>
                )}
                {noted.size > 0 && (
                  <Table.Td className={classes['notes'] ?? ''} title={joinedText(noted.get(time))}>
                    {joinedText(noted.get(time))}
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  );
}

function Compared({ item, times }: { item: { time: string; visits: number } | undefined; times: ChartTimes }) {
  if (item === undefined) return '–';
  return <span title={itemText(item.time, times)}>{countText(item.visits)}</span>;
}
