import { formatCsvLine, type CsvCell } from '#libs/csv';

/** Column for sorting and exporting a table or list. */
export interface Column<T> {
  key: string;
  label: string;
  isNumber?: true;
  /** Marks times, which are sorted latest first by default. */
  isTime?: true;
  /** Value for sorting and export, with times in ISO 8601. Without it, the column can't be sorted or exported. */
  value?: (row: T) => CsvCell;
  /** Exports the column but doesn't let users sort by it. */
  isFixed?: true;
  /** Exports the column but neither shows it nor lets users sort by it. */
  isOnlyExported?: true;
}

export interface Sort {
  key: string;
  direction: 'ascending' | 'descending';
}

export const isSortable = <T>({ value, isFixed, isOnlyExported }: Column<T>): boolean =>
  value !== undefined && !isFixed && !isOnlyExported;

/** Sorts rows by a column. The sort is stable, and rows without a value come last in both directions. */
export function sortRows<T>(rows: readonly T[], columns: readonly Column<T>[], sort: Sort | null): readonly T[] {
  const value = columns.find(({ key }) => key === sort?.key)?.value;
  if (sort === null || value === undefined) return rows;
  const sign = sort.direction === 'ascending' ? 1 : -1;
  return rows.toSorted((one, other) => {
    const [first, second] = [value(one) ?? '', value(other) ?? ''];
    if (first === '' || second === '') return Number(first === '') - Number(second === '');
    return sign * compare(first, second);
  });
}

const COLLATOR = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

const compare = (one: NonNullable<CsvCell>, other: NonNullable<CsvCell>): number =>
  typeof one === 'number' && typeof other === 'number' ? one - other : COLLATOR.compare(String(one), String(other));

/**
 * Returns the sort order after a click on a column header. The first click sorts text in ascending order, and numbers
 * and times in descending order. Further clicks reverse the order.
 */
export const nextSort = <T>(sort: Sort | null, { key, isNumber, isTime }: Column<T>): Sort => {
  if (sort?.key === key) return { key, direction: sort.direction === 'ascending' ? 'descending' : 'ascending' };
  return { key, direction: isNumber || isTime ? 'descending' : 'ascending' };
};

export function toCsv<T>(rows: readonly T[], columns: readonly Column<T>[]): string {
  const exportedColumns = columns.filter(({ value }) => value !== undefined);
  return [
    formatCsvLine(exportedColumns.map(({ label }) => label)),
    ...rows.map((row) => formatCsvLine(exportedColumns.map(({ value }) => value!(row)))),
  ].join('');
}
