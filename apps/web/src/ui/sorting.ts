import { csvLine, type CsvCell } from '#libs/csv';

/** What the rows of a table or list are sorted by, and what is exported of them. */
export interface Column<T> {
  key: string;
  label: string;
  isNumber?: true;
  /** A time, first sorted with the latest at the top. */
  isTime?: true;
  /** Times as ISO 8601. Without it the column is neither sorted nor exported. */
  value?: (row: T) => CsvCell;
  /** Exported, but not sorted by. */
  isFixed?: true;
  /** Exported, but neither shown nor sorted by. */
  isOnlyExported?: true;
}

export interface Sort {
  key: string;
  direction: 'ascending' | 'descending';
}

export const isSortable = <T>({ value, isFixed, isOnlyExported }: Column<T>): boolean =>
  value !== undefined && !isFixed && !isOnlyExported;

/** Sorts rows by a column. Rows without a value come last in either direction; equal ones keep their order. */
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

/** Returns the sorting after a click on a column's head: names from A to Z, numbers and times from the largest, then reversed. */
export const nextSort = <T>(sort: Sort | null, { key, isNumber, isTime }: Column<T>): Sort => {
  if (sort?.key === key) return { key, direction: sort.direction === 'ascending' ? 'descending' : 'ascending' };
  return { key, direction: isNumber || isTime ? 'descending' : 'ascending' };
};

/** Returns rows as CSV, with the columns that have values. */
export function csvOf<T>(rows: readonly T[], columns: readonly Column<T>[]): string {
  const exported = columns.filter(({ value }) => value !== undefined);
  return [
    csvLine(exported.map(({ label }) => label)),
    ...rows.map((row) => csvLine(exported.map(({ value }) => value!(row)))),
  ].join('');
}
