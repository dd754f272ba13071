import type { CsvCell } from '#libs/csv';
import type { ContentOf } from '../operation-types.js';
import { count } from '../terminal-text.js';

/** A column of a report. */
interface ReportColumn<Row> {
  /** In the table, and in lower case with underscores in CSV. */
  heading: string;
  value: (row: Row) => CsvCell;
  /** As the table shows it; without, the value as text, and a number as a count. */
  text?: (row: Row) => string;
  /** Left out of the table, which has to fit a terminal. */
  isOnlyInCsv?: true;
}

type ReportPath = `/api/projects/{id}/${'compliance' | 'referrals' | 'tools' | 'unlisted'}`;

/** A report of a project over a range of time. */
export interface Report<P extends ReportPath = ReportPath> {
  /** What follows `agent-traffic report`. */
  name: string;
  description: string;
  path: P;
  /** Shown in its help. */
  help: string;
  /** Returns the text of the operation's response. */
  read(response: ContentOf<'get', P>): ReportText;
}

/** What a report says, apart from its form. */
export interface ReportText {
  headings: readonly string[];
  /** For a terminal, not yet made safe for it. */
  rows: readonly (readonly string[])[];
  csv: readonly (readonly CsvCell[])[];
  /** Above the table. */
  summary: string;
  /** In place of an empty table. */
  empty: string;
}

/** Makes the rows of a report for a terminal and as CSV. */
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
