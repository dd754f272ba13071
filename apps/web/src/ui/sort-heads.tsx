import { UnstyledButton, type Table } from '@mantine/core';
import { Icon } from './icon.js';
import classes from './sort-heads.module.css';
import { isSortable, nextSort, type Column, type Sort } from './sorting.js';

export interface SortHeadsProps<T> {
  columns: readonly Column<T>[];
  sort: Sort | null;
  onSort: (sort: Sort) => void;
  /** `Table.Th` within the library's table. */
  Th?: 'th' | typeof Table.Th;
}

/** The heads of a table's columns, which sort it. */
export function SortHeads<T>({ columns, sort, onSort, Th = 'th' }: SortHeadsProps<T>) {
  const shown = columns.filter(({ isOnlyExported }) => !isOnlyExported);
  return shown.map((column) => {
    const { key, label, isNumber } = column;
    const align = { textAlign: isNumber ? ('right' as const) : ('left' as const) };
    if (!isSortable(column)) {
      return (
        <Th key={key} scope="col" style={align}>
          {label}
        </Th>
      );
    }
    const direction = sort?.key === key ? sort.direction : undefined;
    return (
      <Th key={key} scope="col" style={align} aria-sort={direction ?? 'none'}>
        <UnstyledButton className={classes['sort']} onClick={() => onSort(nextSort(sort, column))}>
          {label}
          {direction !== undefined && <Icon name={direction === 'ascending' ? 'up' : 'down'} size={12} />}
        </UnstyledButton>
        <span className={classes['still']}>{label}</span>
      </Th>
    );
  });
}
