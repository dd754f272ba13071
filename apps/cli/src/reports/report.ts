import type { CsvCell } from '#libs/csv';
import type { ResponseBody } from '../operation-types.js';
import { count } from '../terminal-text.js';

interface ReportColumn<Row> {
  /** Column heading. CSV uses it in snake case. */
  heading: string;
  value: (row: Row) => CsvCell;
  /** Returns the text for the table. Default: the value, with thousands separators in numbers. */
  text?: (row: Row) => string;
  /** Omits the column from the table, so the table fits in a terminal. */
  isOnlyInCsv?: true;
}

type ReportPath =
  `/api/projects/{id}/${'compliance' | 'conduct' | 'coverage' | 'journey-summary' | 'load' | 'payments' | 'permissions' | 'referrals' | 'tools' | 'unlisted'}`;

export interface Report<P extends ReportPath = ReportPath> {
  /** Name of the `agent-traffic report` subcommand. */
  name: string;
  description: string;
  path: P;
  help: string;
  /** Whether the report covers all visits instead of a time range. */
  coversAllVisits?: true;
  /** Properties that the report can be broken down by, for the option `--by`. The first one is the default. */
  groupings?: readonly string[];
  /** @param by One of the groupings, or undefined for the default. */
  read(response: ResponseBody<'get', P>, by?: string): ReportText;
}

export interface ReportText {
  headings: readonly string[];
  /** Table cells, not yet escaped for terminals. */
  rows: readonly (readonly string[])[];
  csv: readonly (readonly CsvCell[])[];
  /** Text above the table. */
  summary: string;
  /** Text to show instead of an empty table. */
  empty: string;
}

export const buildRows = <Row>(
  rows: readonly Row[],
  columns: readonly ReportColumn<Row>[],
): Pick<ReportText, 'headings' | 'rows' | 'csv'> => {
  const tableColumns = columns.filter(({ isOnlyInCsv }) => !isOnlyInCsv);
  return {
    headings: tableColumns.map(({ heading }) => heading.toUpperCase()),
    rows: rows.map((row) => tableColumns.map(({ value, text }) => text?.(row) ?? formatCell(value(row)))),
    csv: [
      columns.map(({ heading }) => heading.toLowerCase().replaceAll(' ', '_')),
      ...rows.map((row) => columns.map(({ value }) => value(row))),
    ],
  };
};

const formatCell = (value: CsvCell): string => (typeof value === 'number' ? count(value) : String(value ?? '-'));
