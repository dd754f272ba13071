import { Button, Group, Text, UnstyledButton } from '@mantine/core';
import { useState, type CSSProperties, type Key, type ReactNode } from 'react';
import { countText } from '../format/count.js';
import classes from './data-table.module.css';
import { Icon } from './icon.js';
import { RelativeTime } from './relative-time.js';
import { isSortable, nextSort, type Column, type Sort } from './sorting.js';
import { TableTools, type ExportName } from './table-tools.js';
import { useSorted } from './use-sorted.js';

/** A column of a table, with its cell, sort value and export value. */
export interface TableColumn<T> extends Column<T> {
  /** Returns the content of a cell. Default: the value, with numbers and times formatted. */
  cell?: (row: T) => ReactNode;
  /** Makes the cells row headers. */
  isHead?: true;
  style?: CSSProperties;
  /** Text around the content, and whether it's dimmed, on narrow screens if `phone` is a list. */
  narrow?: { before?: string; after?: string; isSoft?: true };
}

interface MoreRows {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

interface DataTableProps<T> extends Partial<ExportName> {
  /** Accessible name. In lowercase, it's the default `page` of the export's file name. */
  label: string;
  columns: readonly TableColumn<T>[];
  rows: readonly T[];
  rowKey: (row: T) => Key;
  /** Key of the column to sort by initially. Default: unsorted. */
  initial?: string;
  /** Set if the server sorts the rows. The page must then render its own `TableTools`. */
  sorting?: { sort: Sort; onSort: (sort: Sort) => void };
  /** Reads all rows for the export, if `rows` contains only some of them. */
  readAll?: () => Promise<readonly T[]>;
  /** Number of rows shown initially. Default: all. */
  pageSize?: number;
  more?: MoreRows;
  moreLabel?: string;
  /**
   * Layout of a row on narrow screens. `labels` (default) gives each cell a labeled line. `scroll` keeps the table and
   * lets it scroll. A list gives the lines of a grid whose areas are column keys.
   */
  phone?: 'labels' | 'scroll' | readonly string[];
  /** Content next to the tools, such as filters. */
  toolbar?: ReactNode;
  /** Shown instead of a table without rows. The tools are then only shown if there is a `toolbar`. */
  empty?: ReactNode;
  maxHeight?: number;
  isBusy?: boolean;
  className?: string | undefined;
}

const MORE_ROWS = 100;

/** Table with sorting, paging and export. Columns without a `value` are neither sorted nor exported. */
export function DataTable<T>(props: DataTableProps<T>) {
  const { label, columns, rowKey, sorting, pageSize, phone = 'labels', more, moreLabel = 'Load more' } = props;
  const own = useSorted(props.rows, columns, props.initial);
  const { sort, onSort } = sorting ?? own;
  const rows = sorting === undefined ? own.rows : props.rows;
  const [limit, setLimit] = useState(pageSize ?? Infinity);
  const hasTools = sorting === undefined && columns.some(({ value }) => value !== undefined);
  const shown = columns.filter(({ isOnlyExported }) => !isOnlyExported);
  const areas = typeof phone === 'string' ? null : phone.map((line) => line.split(' '));
  const ends = new Set(areas?.flatMap((line) => (line[0] === line.at(-1) ? [] : line.at(-1)!)));
  const placed = areas && ({ '--areas': areas.map((line) => `"${line.join(' ')}"`).join(' ') } as CSSProperties);
  const { empty, toolbar } = props;
  const isEmpty = rows.length === 0 && empty !== undefined;
  const tools = hasTools && (!isEmpty || toolbar !== undefined) && (
    <TableTools
      columns={columns}
      sort={sort}
      onSort={onSort}
      rows={props.readAll ?? rows}
      owner={props.owner}
      page={props.page ?? label.toLowerCase()}
      range={props.range}
    />
  );
  return (
    <>
      {toolbar === undefined ? (
        tools
      ) : (
        <Group justify="space-between" align="end" gap="xs">
          {toolbar}
          {tools}
        </Group>
      )}
      {isEmpty ? (
        typeof empty === 'string' ? (
          <Text size="sm">{empty}</Text>
        ) : (
          empty
        )
      ) : (
        <div
          className={classes['scroller']}
          style={{ maxHeight: props.maxHeight }}
          tabIndex={0}
          role="region"
          aria-label={label}
          aria-busy={props.isBusy}
          data-scrolls={phone === 'scroll' || undefined}
        >
          <table
            className={[classes['table'], classes[areas ? 'placed' : (phone as string)], props.className].join(' ')}
            style={placed ?? undefined}
          >
            <thead>
              <tr>
                {shown.map((column) => (
                  <Head key={column.key} column={column} sort={sort} onSort={onSort} />
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, limit).map((row) => (
                <tr key={rowKey(row)}>
                  {shown.map((column) => (
                    <Cell key={column.key} column={column} row={row} isPlaced={areas !== null} ends={ends} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {pageSize !== undefined && rows.length > pageSize && (
        <Centered onClick={() => setLimit(limit < rows.length ? limit + MORE_ROWS : pageSize)}>
          {limit >= rows.length
            ? 'Show fewer'
            : limit + MORE_ROWS >= rows.length
              ? `Show all ${countText(rows.length)}`
              : 'Show more'}
        </Centered>
      )}
      {more?.hasNextPage && (
        <Centered loading={more.isFetchingNextPage} onClick={() => void more.fetchNextPage()}>
          {moreLabel}
        </Centered>
      )}
    </>
  );
}

interface HeadProps<T> {
  column: TableColumn<T>;
  sort: Sort | null;
  onSort: (sort: Sort) => void;
}

function Head<T>({ column, sort, onSort }: HeadProps<T>) {
  const { key, label, isNumber } = column;
  if (!isSortable(column)) {
    return (
      <th scope="col" data-number={isNumber}>
        {label}
      </th>
    );
  }
  const direction = sort?.key === key ? sort.direction : undefined;
  return (
    <th scope="col" data-number={isNumber} aria-sort={direction ?? 'none'}>
      <UnstyledButton className={classes['sort']} onClick={() => onSort(nextSort(sort, column))}>
        {label}
        {direction !== undefined && <Icon name={direction === 'ascending' ? 'up' : 'down'} size={12} />}
      </UnstyledButton>
      <span className={classes['still']}>{label}</span>
    </th>
  );
}

interface CellProps<T> {
  column: TableColumn<T>;
  row: T;
  isPlaced: boolean;
  /** Keys of the columns at the end of a line. */
  ends: ReadonlySet<string>;
}

function Cell<T>({ column, row, isPlaced, ends }: CellProps<T>) {
  const { key, label, cell = contentOf(column), isHead, isNumber, style, narrow } = column;
  const props = {
    'data-cell': key,
    'data-number': isNumber,
    ...(isPlaced && {
      'data-end': ends.has(key) || undefined,
      'data-before': narrow?.before,
      'data-after': narrow?.after,
      'data-soft': narrow?.isSoft,
    }),
    style: isPlaced ? { ...style, gridArea: key } : style,
    children: cell(row),
  };
  return isHead ? <th scope="row" {...props} /> : <td data-label={label} {...props} />;
}

const contentOf =
  <T,>({ value, isTime }: TableColumn<T>) =>
  (row: T): ReactNode => {
    const content = value?.(row) ?? '';
    if (content === '') return null;
    if (isTime) return <RelativeTime time={String(content)} />;
    return typeof content === 'number' ? countText(content) : String(content);
  };

const Centered = (props: { loading?: boolean; onClick: () => void; children: ReactNode }) => (
  <Group justify="center">
    <Button size="xs" variant="default" {...props} />
  </Group>
);
