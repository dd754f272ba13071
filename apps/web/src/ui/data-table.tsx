import { Button, Group, Text, UnstyledButton } from '@mantine/core';
import { useState, type CSSProperties, type Key, type MouseEvent, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { formatCount } from '../format/count.js';
import { useCardHeaderSlot } from './card-header.js';
import classes from './data-table.module.css';
import { Icon } from './icon.js';
import { RelativeTime } from './relative-time.js';
import { isSortable, nextSort, type Column, type Sort } from './sorting.js';
import { TableTools, type ExportFileName } from './table-tools.js';
import { useSorted } from './use-sorted.js';

/** Table column with its cell content and layout. */
export interface TableColumn<T> extends Column<T> {
  /** Returns a cell's content. Default: the value, with numbers and times formatted. */
  cell?: (row: T) => ReactNode;
  /** Renders the cells as row headers. */
  isHead?: true;
  style?: CSSProperties;
  /** Text before and after the content, and whether to dim it. Applies on narrow screens if `phone` is a list. */
  narrow?: { before?: string; after?: string; isSoft?: true };
  /** Shows the column only on narrow screens. */
  isOnlyNarrow?: true;
}

interface MoreRows {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

interface DataTableProps<T> extends Partial<ExportFileName> {
  /** Accessible name. Its lowercase form is the default `page` in the export's file name. */
  label: string;
  columns: readonly TableColumn<T>[];
  rows: readonly T[];
  rowKey: (row: T) => Key;
  /** Opens a row's details on a click anywhere in the row. One cell must also have a button or link for it. */
  onOpen?: (row: T) => void;
  /** Key of the column to sort by initially. Default: unsorted. */
  initial?: string;
  /** Name of the order of unsorted rows. */
  unsorted?: string;
  /** Only set if the server sorts the rows. In this case, the page itself must render `TableTools`. */
  sorting?: { sort: Sort; onSort: (sort: Sort) => void };
  /** Fetches all rows for the export if `rows` contains only some of them. */
  readAll?: () => Promise<readonly T[]>;
  /** Number of rows shown initially. Default: all. */
  pageSize?: number;
  more?: MoreRows;
  moreLabel?: string;
  /**
   * Row layout on narrow screens. `labels` (default) puts each cell on a labeled line. `scroll` keeps the table and
   * scrolls it sideways. A list defines the lines of a grid, with column keys as areas. Other columns are hidden.
   */
  phone?: 'labels' | 'scroll' | readonly string[];
  /** Content next to the tools, such as filters. */
  toolbar?: ReactNode;
  /** Content to show instead of an empty table. In this case, the tools are only shown if `toolbar` is set. */
  empty?: ReactNode;
  maxHeight?: number;
  isBusy?: boolean;
  className?: string | undefined;
}

const ROWS_PER_CLICK = 100;

/** Table with sorting, paging and export. In a `Section`, the tools are in its header. Columns without a `value` can't be sorted or exported. */
export function DataTable<T>(props: DataTableProps<T>) {
  const { label, columns, rowKey, onOpen, sorting, pageSize, phone = 'labels', more, moreLabel = 'Load more' } = props;
  const localSort = useSorted(props.rows, columns, props.initial);
  const { sort, onSort } = sorting ?? localSort;
  const rows = sorting === undefined ? localSort.rows : props.rows;
  const [limit, setLimit] = useState(pageSize ?? Infinity);
  const hasTools = sorting === undefined && columns.some(({ value }) => value !== undefined);
  const visibleColumns = columns.filter(({ isOnlyExported }) => !isOnlyExported);
  const areas = typeof phone === 'string' ? null : phone.map((line) => line.split(' '));
  const placed = areas && new Set(areas.flat());
  const ends = new Set(areas?.flatMap((line) => (line[0] === line.at(-1) ? [] : line.at(-1)!)));
  const gridStyle = areas && ({ '--areas': areas.map((line) => `"${line.join(' ')}"`).join(' ') } as CSSProperties);
  const { empty, toolbar } = props;
  const isEmpty = rows.length === 0 && empty !== undefined;
  const tools = hasTools && (!isEmpty || toolbar !== undefined) && (
    <TableTools
      columns={columns}
      sort={sort}
      onSort={onSort}
      unsorted={props.unsorted}
      rows={props.readAll ?? rows}
      owner={props.owner}
      page={props.page ?? label.toLowerCase()}
      range={props.range}
    />
  );
  const slot = useCardHeaderSlot(tools !== false);
  return (
    <>
      {tools && slot && createPortal(tools, slot)}
      {toolbar === undefined || slot !== null ? (
        (toolbar ?? (slot === null && tools))
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
            style={gridStyle ?? undefined}
          >
            <thead>
              <tr>
                {visibleColumns.map((column) => (
                  <HeaderCell key={column.key} column={column} sort={sort} onSort={onSort} />
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, limit).map((row) => (
                <tr
                  key={rowKey(row)}
                  data-opens={onOpen !== undefined || undefined}
                  onClick={onOpen && ((event) => isPlainClick(event) && onOpen(row))}
                >
                  {visibleColumns.map((column) => (
                    <Cell key={column.key} column={column} row={row} placed={placed} ends={ends} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {pageSize !== undefined && rows.length > pageSize && (
        <CenteredButton onClick={() => setLimit(limit < rows.length ? limit + ROWS_PER_CLICK : pageSize)}>
          {limit >= rows.length
            ? 'Show fewer'
            : limit + ROWS_PER_CLICK >= rows.length
              ? `Show all ${formatCount(rows.length)}`
              : 'Show more'}
        </CenteredButton>
      )}
      {more?.hasNextPage && (
        <CenteredButton loading={more.isFetchingNextPage} onClick={() => void more.fetchNextPage()}>
          {moreLabel}
        </CenteredButton>
      )}
    </>
  );
}

/** Returns true for clicks outside of controls that don't select text. */
const isPlainClick = ({ target }: MouseEvent): boolean =>
  (target as Element).closest('a, button, input, label') === null && window.getSelection()?.type !== 'Range';

interface HeaderCellProps<T> {
  column: TableColumn<T>;
  sort: Sort | null;
  onSort: (sort: Sort) => void;
}

function HeaderCell<T>({ column, sort, onSort }: HeaderCellProps<T>) {
  const { key, label, isNumber, isOnlyNarrow } = column;
  if (!isSortable(column)) {
    return (
      <th scope="col" data-number={isNumber} data-only-narrow={isOnlyNarrow}>
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
  /** Keys of the columns on the grid, or null if there's no grid. */
  placed: ReadonlySet<string> | null;
  /** Keys of the columns at the end of a grid line. */
  ends: ReadonlySet<string>;
}

function Cell<T>({ column, row, placed, ends }: CellProps<T>) {
  const { key, label, cell = defaultCell(column), isHead, isNumber, style, narrow } = column;
  const props = {
    'data-cell': key,
    'data-number': isNumber,
    'data-only-narrow': column.isOnlyNarrow,
    ...(placed && {
      'data-unplaced': !placed.has(key) || undefined,
      'data-end': ends.has(key) || undefined,
      'data-before': narrow?.before,
      'data-after': narrow?.after,
      'data-soft': narrow?.isSoft,
    }),
    style: placed ? { ...style, gridArea: key } : style,
    children: cell(row),
  };
  return isHead ? <th scope="row" {...props} /> : <td data-label={label} {...props} />;
}

const defaultCell =
  <T,>({ value, isTime }: TableColumn<T>) =>
  (row: T): ReactNode => {
    const content = value?.(row) ?? '';
    if (content === '') return null;
    if (isTime) return <RelativeTime time={String(content)} />;
    return typeof content === 'number' ? formatCount(content) : String(content);
  };

const CenteredButton = (props: { loading?: boolean; onClick: () => void; children: ReactNode }) => (
  <Group justify="center" mt="sm">
    <Button size="xs" variant="default" {...props} />
  </Group>
);
