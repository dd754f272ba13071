import { useMemo, useState } from 'react';
import { nextSort, sorted, type Column, type Sort } from './sorting.js';

/** Sorts rows as chosen on the page. @param initial key of a column. */
export function useSorted<T>(rows: readonly T[], columns: readonly Column<T>[], initial?: string) {
  const [sort, onSort] = useState<Sort | null>(() => {
    const first = columns.find(({ key }) => key === initial);
    return first === undefined ? null : nextSort(null, first);
  });
  return { sort, onSort, rows: useMemo(() => sorted(rows, columns, sort), [rows, columns, sort]) };
}
