export type CsvCell = string | number | boolean | null | undefined;

const LINE_END = '\r\n';
/**
 * Characters that start a new cell in many spreadsheets, even within quotes. If a spreadsheet separates cells with
 * semicolons, it treats quotes in the middle of a cell as plain text.
 */
const CELL_SEPARATOR = /([;\t\r\n])/;
/**
 * Text that a spreadsheet may run as a formula, including after spaces and with full-width characters (OWASP, CSV
 * injection).
 */
const FORMULA = /^[\s"]*[=+\-@＝＋－＠]/;
/** Exempts URLs, which many agents include in their user agent. */
const USER_AGENT_URL = /^ *\+https?:\/\//;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/** Formats a cell. Text that a spreadsheet could run as a formula gets an apostrophe prefix. Numbers remain numbers. */
export function formatCsvCell(value: CsvCell): string {
  if (value == null) return '';
  if (typeof value !== 'string') return String(value);
  const text = value
    .split(CELL_SEPARATOR)
    .map((part) => (FORMULA.test(part) && !USER_AGENT_URL.test(part) ? `'${part}` : part))
    .join('');
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns a CSV line including its line break (RFC 4180). */
export const formatCsvLine = (cells: readonly CsvCell[]): string => cells.map(formatCsvCell).join(',') + LINE_END;
