import { Children, cloneElement, isValidElement, type ReactElement, type ReactNode } from 'react';
import type { FileRange } from '#libs/csv';
import { SortHeads } from './sort-heads.js';
import type { Column, Sort } from './sorting.js';
import { INSTANCE, TableTools } from './table-tools.js';
import { useSorted } from './use-sorted.js';
import { Scroller } from './scroller.js';

export interface SortedTableProps<T> {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  /** Rows that are shown; all unless given. */
  limit?: number | undefined;
  /** Reads what is exported, where that is more than the rows. */
  readAll?: () => Promise<readonly T[]>;
  /** Rows that stay at the end. */
  footer?: ReactNode;
  /** Whose table it is, for the name of the export; the instance's unless given. */
  owner?: string;
  /** From when to when, for the same. */
  range?: FileRange;
  /** By which it is sorted at first. */
  initial?: Sort;
  /** A row, with a cell for each column. */
  children: (row: T) => Row;
}

type Row = ReactElement<{ children: ReactNode }>;
type Cell = ReactElement<{ 'data-label'?: string | undefined }>;

/** A table that is sorted by its heads and exported. */
export function SortedTable<T>(props: SortedTableProps<T>) {
  const { label, columns, limit, readAll, footer, owner = INSTANCE, range, initial, children } = props;
  const { rows, sort, onSort } = useSorted(props.rows, columns, initial);
  return (
    <>
      <TableTools
        columns={columns}
        sort={sort}
        onSort={onSort}
        rows={readAll ?? rows}
        owner={owner}
        page={label.toLowerCase()}
        {...(range && { range })}
      />
      <Scroller label={label}>
        <thead>
          <tr>
            <SortHeads columns={columns} sort={sort} onSort={onSort} />
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, limit).map((row) => labeled(children(row), columns))}
          {footer}
        </tbody>
      </Scroller>
    </>
  );
}

/** A row whose cells say of which column they are: on a phone they stand below each other. */
function labeled(row: Row, columns: readonly Pick<Column<never>, 'label' | 'isOnlyExported'>[]): Row {
  const shown = columns.filter(({ isOnlyExported }) => !isOnlyExported);
  const cells = Children.map(row.props.children, (cell, index) =>
    isValidElement(cell) ? cloneElement(cell as Cell, { 'data-label': shown[index]?.label }) : cell,
  );
  return cloneElement(row, {}, cells);
}
