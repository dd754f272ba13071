import { Table, UnstyledButton } from '@mantine/core';
import { itemText } from './chart-times.js';
import { narrowed } from './narrowed.js';
import type { TimeChartProps } from './chart.js';
import classes from './time-chart.module.css';

/** What a chart shows, in numbers, the newest first; each row narrows the range to itself. */
export function TimeTable({ title, series, items, times, range, onNarrow }: TimeChartProps) {
  const starts = items.map(({ time }) => time);
  return (
    <Table.ScrollContainer
      minWidth={140 + 90 * (series.length + 1)}
      mah={320}
      type="native"
      tabIndex={0}
      role="region"
      aria-label={title}
    >
      <Table fz="xs" verticalSpacing={3} className={`numbers ${classes['numbers']}`} stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Time</Table.Th>
            {series.map(({ key, label }) => (
              <Table.Th key={key} ta="right">
                {label}
              </Table.Th>
            ))}
            <Table.Th ta="right">All</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items
            .map(({ time, values }, index) => (
              <Table.Tr key={time}>
                <Table.Th scope="row" fw={400}>
                  <UnstyledButton
                    fz="xs"
                    c="var(--mantine-color-anchor)"
                    title="Zoom to this time"
                    onClick={() => onNarrow(narrowed(starts, index, index, range))}
                  >
                    {itemText(time, times)}
                  </UnstyledButton>
                </Table.Th>
                {series.map(({ key }) => (
                  <Table.Td key={key} ta="right">
                    {(values[key] ?? 0).toLocaleString('en')}
                  </Table.Td>
                ))}
                <Table.Td ta="right">
                  {series.reduce((sum, { key }) => sum + (values[key] ?? 0), 0).toLocaleString('en')}
                </Table.Td>
              </Table.Tr>
            ))
            .toReversed()}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
