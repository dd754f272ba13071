import { useMemo, useState } from 'react';
import { nextSort, sortRows, type Column, type Sort } from './sorting.js';

/** Sorts rows by the column that the user selects. @param initial Key of the initial sort column. Default: unsorted. */
export function useSorted<T>(rows: readonly T[], columns: readonly Column<T>[], initial?: string) {
  const [sort, onSort] = useState<Sort | null>(() => {
    const first = columns.find(({ key }) => key === initial);
    return first === undefined ? null : nextSort(null, first);
  });
  return { sort, onSort, rows: useMemo(() => sortRows(rows, columns, sort), [rows, columns, sort]) };
}
