import type { ReactNode } from 'react';
import { SortHeads } from '../../ui/sort-heads.js';
import type { Column } from '../../ui/sorting.js';
import { INSTANCE, TableTools } from '../../ui/table-tools.js';
import { useSorted } from '../../ui/use-sorted.js';
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
  /** A row. */
  children: (row: T) => ReactNode;
}

/** A table of the instance, which is sorted by its heads and exported. */
export function SortedTable<T>({ label, columns, limit, readAll, footer, children, ...props }: SortedTableProps<T>) {
  const { rows, sort, onSort } = useSorted(props.rows, columns);
  return (
    <>
      <TableTools
        columns={columns}
        sort={sort}
        onSort={onSort}
        rows={readAll ?? rows}
        owner={INSTANCE}
        page={label.toLowerCase()}
      />
      <Scroller label={label}>
        <thead>
          <tr>
            <SortHeads columns={columns} sort={sort} onSort={onSort} />
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, limit).map(children)}
          {footer}
        </tbody>
      </Scroller>
    </>
  );
}
