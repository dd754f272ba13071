export type CsvCell = string | number | boolean | null | undefined;

const LINE_END = '\r\n';
/**
 * Characters that start a new cell in many spreadsheets, even within quotes. Spreadsheets that separate cells by
 * semicolons ignore quotes that don't start a cell.
 */
const SEPARATOR = /([;\t\r\n])/;
/**
 * Text that a spreadsheet may run as a formula, also after spaces and in full-width characters (OWASP, CSV injection).
 */
const FORMULA = /^[\s"]*[=+\-@＝＋－＠]/;
/** Exception for addresses, which many agents put in their user agent. */
const ADDRESS = /^ *\+https?:\/\//;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/**
 * Formats a cell. Puts an apostrophe before anything that a spreadsheet could run as a formula. Numbers stay numbers.
 */
export function csvCell(value: CsvCell): string {
  if (value == null) return '';
  if (typeof value !== 'string') return String(value);
  const text = value
    .split(SEPARATOR)
    .map((piece) => (FORMULA.test(piece) && !ADDRESS.test(piece) ? `'${piece}` : piece))
    .join('');
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns a CSV line with its line break (RFC 4180). */
export const csvLine = (cells: readonly CsvCell[]): string => cells.map(csvCell).join(',') + LINE_END;
