import { useMemo, useState } from 'react';
import { nextSort, sorted, type Column, type Sort } from './sorting.js';

/** Sorts rows by the column that the user chose. @param initial key of the column to sort by first. */
export function useSorted<T>(rows: readonly T[], columns: readonly Column<T>[], initial?: string) {
  const [sort, onSort] = useState<Sort | null>(() => {
    const first = columns.find(({ key }) => key === initial);
    return first === undefined ? null : nextSort(null, first);
  });
  return { sort, onSort, rows: useMemo(() => sorted(rows, columns, sort), [rows, columns, sort]) };
}
