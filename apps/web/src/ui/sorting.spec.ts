import { toCsv, nextSort, sortRows, type Column } from './sorting.js';

interface Row {
  name: string | null;
  visits: number | null;
}

const COLUMNS: Column<Row>[] = [
  { key: 'name', label: 'Name', value: ({ name }) => name },
  { key: 'visits', label: 'Visits', isNumber: true, value: ({ visits }) => visits },
  { key: 'trend', label: 'Trend' },
];
const ROWS: Row[] = [
  { name: 'b10', visits: 2 },
  { name: 'B9', visits: null },
  { name: null, visits: 10 },
  { name: 'a', visits: 2 },
];
const names = (key: string, direction: 'ascending' | 'descending'): (string | null)[] =>
  sortRows(ROWS, COLUMNS, { key, direction }).map(({ name }) => name);

it('sorts names in natural order, numbers by value and missing values last', () => {
  expect(names('name', 'ascending')).toEqual(['a', 'B9', 'b10', null]);
  expect(names('name', 'descending')).toEqual(['b10', 'B9', 'a', null]);
  expect(names('visits', 'descending')).toEqual([null, 'b10', 'a', 'B9']);
  expect(names('visits', 'ascending')).toEqual(['b10', 'a', null, 'B9']);
});

it('leaves rows unchanged without a sortable column', () => {
  expect(sortRows(ROWS, COLUMNS, null)).toBe(ROWS);
  expect(names('trend', 'ascending')).toEqual(ROWS.map(({ name }) => name));
});

it('reverses the direction on the second click', () => {
  const [name, visits] = COLUMNS;
  const first = nextSort(null, name!);
  expect(first).toEqual({ key: 'name', direction: 'ascending' });
  expect(nextSort(first, name!)).toEqual({ key: 'name', direction: 'descending' });
  expect(nextSort(first, visits!)).toEqual({ key: 'visits', direction: 'descending' });
});

it('exports columns with values as CSV and escapes formulas', () => {
  const rows = [...ROWS.slice(0, 2), { name: '=1+1, "x"', visits: -1 }];
  expect(toCsv(rows, COLUMNS)).toBe('Name,Visits\r\nb10,2\r\nB9,\r\n"\'=1+1, ""x""",-1\r\n');
});
