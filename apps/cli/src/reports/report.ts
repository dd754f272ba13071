import type { CsvCell } from '#libs/csv';
import type { ContentOf } from '../operation-types.js';
import { count } from '../terminal-text.js';

interface ReportColumn<Row> {
  /** Heading in the table. CSV uses it in snake case. */
  heading: string;
  value: (row: Row) => CsvCell;
  /** Text in the table. Default: the value, with a number formatted as a count. */
  text?: (row: Row) => string;
  /** Omitted from the table so that it fits a terminal. */
  isOnlyInCsv?: true;
}

type ReportPath = `/api/projects/{id}/${'compliance' | 'referrals' | 'tools' | 'unlisted'}`;

export interface Report<P extends ReportPath = ReportPath> {
  /** Subcommand of `agent-traffic report`. */
  name: string;
  description: string;
  path: P;
  help: string;
  read(response: ContentOf<'get', P>): ReportText;
}

export interface ReportText {
  headings: readonly string[];
  /** Table cells. Not escaped for terminals yet. */
  rows: readonly (readonly string[])[];
  csv: readonly (readonly CsvCell[])[];
  /** Shown above the table. */
  summary: string;
  /** Shown instead of an empty table. */
  empty: string;
}

export const reportRows = <Row>(
  rows: readonly Row[],
  columns: readonly ReportColumn<Row>[],
): Pick<ReportText, 'headings' | 'rows' | 'csv'> => {
  const shown = columns.filter(({ isOnlyInCsv }) => !isOnlyInCsv);
  return {
    headings: shown.map(({ heading }) => heading.toUpperCase()),
    rows: rows.map((row) => shown.map(({ value, text }) => text?.(row) ?? cellText(value(row)))),
    csv: [
      columns.map(({ heading }) => heading.toLowerCase().replaceAll(' ', '_')),
      ...rows.map((row) => columns.map(({ value }) => value(row))),
    ],
  };
};

const cellText = (value: CsvCell): string => (typeof value === 'number' ? count(value) : String(value ?? '-'));
