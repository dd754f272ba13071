import { csvLine, type CsvCell } from '#libs/csv';

/** Column of a table or list, for sorting and export. */
export interface Column<T> {
  key: string;
  label: string;
  isNumber?: true;
  /** Sorts the latest time first. */
  isTime?: true;
  /** Value to sort by and to export, with times in ISO 8601. Without it, the column is neither sortable nor exported. */
  value?: (row: T) => CsvCell;
  /** Exported, but not sortable. */
  isFixed?: true;
  /** Exported, but neither shown nor sortable. */
  isOnlyExported?: true;
}

export interface Sort {
  key: string;
  direction: 'ascending' | 'descending';
}

export const isSortable = <T>({ value, isFixed, isOnlyExported }: Column<T>): boolean =>
  value !== undefined && !isFixed && !isOnlyExported;

/** Sorts rows by a column. Rows without a value come last in both directions. Equal rows keep their order. */
export function sorted<T>(rows: readonly T[], columns: readonly Column<T>[], sort: Sort | null): readonly T[] {
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
 * Returns the sort order after a click on a column head. The first click sorts text from A to Z, and numbers and times
 * from the largest. Further clicks reverse the order.
 */
export const nextSort = <T>(sort: Sort | null, { key, isNumber, isTime }: Column<T>): Sort => {
  if (sort?.key === key) return { key, direction: sort.direction === 'ascending' ? 'descending' : 'ascending' };
  return { key, direction: isNumber || isTime ? 'descending' : 'ascending' };
};

export function csvOf<T>(rows: readonly T[], columns: readonly Column<T>[]): string {
  const exported = columns.filter(({ value }) => value !== undefined);
  return [
    csvLine(exported.map(({ label }) => label)),
    ...rows.map((row) => csvLine(exported.map(({ value }) => value!(row)))),
  ].join('');
}
