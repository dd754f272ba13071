export type CsvCell = string | number | boolean | null | undefined;

const LINE_END = '\r\n';
/**
 * Many spreadsheets start another cell here, even within quotes. Where cells end at semicolons, quotes that don't begin
 * the line are text, and lines end within them.
 */
const SEPARATOR = /([;\t\r\n])/;
/** What a spreadsheet may take for the start of a formula, also after spaces and in full width (OWASP, CSV injection). */
const FORMULA = /^[\s"]*[=+\-@＝＋－＠]/;
/** Not a formula: agents give an address like this in their user agent. */
const ADDRESS = /^ *\+https?:\/\//;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/** Puts an apostrophe before what a spreadsheet would run, also after a semicolon, tab or line break. Numbers stay numbers. */
export function csvCell(value: CsvCell): string {
  if (value == null) return '';
  if (typeof value !== 'string') return String(value);
  const text = value
    .split(SEPARATOR)
    .map((piece) => (FORMULA.test(piece) && !ADDRESS.test(piece) ? `'${piece}` : piece))
    .join('');
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns a line of CSV with its end (RFC 4180). */
export const csvLine = (cells: readonly CsvCell[]): string => cells.map(csvCell).join(',') + LINE_END;
