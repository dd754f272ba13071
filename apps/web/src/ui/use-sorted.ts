import { useMemo, useState } from 'react';
import { sorted, type Column, type Sort } from './sorting.js';

/** A table's rows, sorted as chosen on the page. @param columns the same each time. */
export function useSorted<T>(rows: readonly T[], columns: readonly Column<T>[], initial: Sort | null = null) {
  const [sort, onSort] = useState(initial);
  return { sort, onSort, rows: useMemo(() => sorted(rows, columns, sort), [rows, columns, sort]) };
}
